;; Searches for an answer: passes through imagined matches, which share a tree of answers (see `bots.mcts`, which does the same in Python).
;;
;; A table has the statistics of a question: the next table of its bucket, its first arm, what identifies it; visits; total and squares of
;; rewards. An arm has those of an answer: the next arm, a list of the keys that are selected or 0; its key; how often it was offered and taken;
;; the total of its rewards. A question is identified by its player and place, and by the answers before it, as a hash.

(global $mode (mut i32) (i32.const 0))
;; %RANDOM%: chance answers. %TREE%: the tree does. %LEFT%: the tree was left in the midst of simultaneous answers. %TRIED%: chance answers,
;; and what others do at the same time is recorded. %ROOT%: nobody goes beyond the question of the player who searches. %EACH%: all
;; answers to it are tried in turn, and everything else is left to chance.
(global $me (mut i64) (i64.const 0))        ;; the player who searches
(global $foreseen (mut i32) (i32.const 0))  ;; whether others who act at the same time do what was best for them when it was tried
(global $stage (mut i64) (i64.const 0))     ;; a hash of all answers so far
(global $last (mut i64) (i64.const 0))      ;; who has answered last
(global $together (mut i32) (i32.const 0))  ;; whether there are answers since then that others do not know
(global $trial (mut i32) (i32.const 0))     ;; how many answers a trial takes,
(global $left (mut i32) (i32.const 0))      ;; and how many are left
(global $given (mut i64) (i64.const 0))     ;; how many of the earlier answers were given
(global $path (mut i32) (i32.const 0))      ;; the end of the path: the table, the arm and the seat of each answer
(global $planted (export "planted") (mut i32) (i32.const 0))   ;; the end of the tree
(global $options (mut i32) (i32.const 0))   ;; the number of answers of a question, without selections
(global $passed (export "passed") (mut i32) (i32.const 0))
(global $nth (mut i32) (i32.const 0))       ;; which pass through the same match this is,
(global $is_first (mut i32) (i32.const 0))  ;; and whether that is the first match

;; Passes through imagined matches, each of which serves several: dealt here, or else lying one after another. Those before the first
;; are left out. Said from %ORDER% on: who searches, and how; the first pass, how many there are, and how many through each match; the
;; bytes of one; how many answers a trial takes; whether matches are dealt here.
(func (export "search")
  (local $use i32) (local $mode i32) (local $passes i32) (local $uses i32) (local $bytes i32) (local $is_dealt i32)
  (global.set $me (i64.load (i32.const %ORDER%)))
  (local.set $mode (i32.load offset=8 (i32.const %ORDER%)))
  (global.set $passed (i32.load offset=16 (i32.const %ORDER%)))
  (local.set $passes (i32.load offset=24 (i32.const %ORDER%)))
  (local.set $uses (i32.load offset=32 (i32.const %ORDER%)))
  (local.set $bytes (i32.load offset=40 (i32.const %ORDER%)))
  (global.set $trial (i32.load offset=48 (i32.const %ORDER%)))
  (local.set $is_dealt (i32.load offset=56 (i32.const %ORDER%)))
  (global.set $at_key (i32.const %KEYS%))
  (call $take_pair)
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (global.get $passed) (local.get $passes)))
      (local.set $use (i32.rem_u (global.get $passed) (local.get $uses)))
      (global.set $nth (local.get $use))
      (global.set $is_first (i32.lt_u (global.get $passed) (local.get $uses)))
      (if (i32.and (local.get $is_dealt) (i32.eqz (local.get $use))) (then (call $deal (i32.const %WORLDS%) (local.get $bytes))))
      (if (i32.gt_u (i32.eq (local.get $mode) (i32.const %EACH%)) (global.get $is_first)) (then (call $same_chance)))
      (call $pass (local.get $mode) (select (i32.const %WORLDS%)
        (i32.add (i32.const %WORLDS%) (i32.mul (local.get $bytes) (i32.div_u (global.get $passed) (local.get $uses))))
        (local.get $is_dealt)))
      (global.set $passed (i32.add (global.get $passed) (i32.const 1)))
      (br $next)))
  (global.set $mode (i32.const %RANDOM%)))

;; Whoever searches is asked for the first time in the match at %KEPT%: how many answers there are, and the table of that question in
;; a new tree. Their keys are where those of a question are. Said at %ORDER%: who searches.
(func (export "root")
  (global.set $undealt (i32.const 0))
  (memory.fill (i32.const %BUCKETS%) (i32.const 0) (i32.const %BUCKET_BYTES%))
  (global.set $planted (i32.const %PLANTED%))
  (global.set $me (i64.load (i32.const %ORDER%)))
  (global.set $at_key (i32.const %KEYS%))
  (call $take_pair)
  (call $enter (i32.const %ROOT%) (i32.const %KEPT%))
  (drop (call $play (i64.const 0)))
  (global.set $mode (i32.const %RANDOM%)))

(func $enter (param $mode i32) (param $world i32)
  (global.set $mode (local.get $mode))
  (global.set $stage (i64.const 1))
  (global.set $together (i32.const 0))
  (global.set $given (i64.const 0))
  (global.set $path (i32.const %PATH%))
  (global.set $left (global.get $trial))
  (memory.fill (i32.const %OWN%) (i32.const 0) (i32.const %TOTAL_BYTES%))
  (call $unpack (local.get $world)))

(func $pass (param $mode i32) (param $world i32)
  (local $over i32)
  (call $enter (local.get $mode) (local.get $world))
  (global.set $foreseen (f64.lt (call $random (i32.const %ANSWERS%)) (f64.const %FORESEEN%)))
  (memory.fill (i32.const %TOTALS%) (i32.const 0) (i32.const %TOTAL_BYTES%))
  (global.set $row (i32.const %ROWS%))
  (local.set $over (call $play (i64.const 0)))
  (global.set $mode (i32.const %RANDOM%))
  (if (i32.or (local.get $over) (i32.eq (local.get $mode) (i32.const %TRIED%)))
    (then
      (call $result)
      (call $worth (local.get $over) (f64.convert_i64_s (i64.load offset=8 (i32.const %MARKS%)))))
    (else
      (drop (call $pack (i32.const %LOADED%)))
      (call $futures)))
  (call $learn))

;; Give everybody on the path an even reward: a rule has failed.
(func (export "wrecked")
  (memory.fill (i32.const %TOTALS%) (i32.const 0) (i32.const %TOTAL_BYTES%))
  (call $give_all (f64.mul (f64.const %LEVEL%) (f64.convert_i64_s (i64.load offset=8 (i32.const %MARKS%)))))
  (call $learn))

(func $learn
  (local $at i32) (local $table i32) (local $arm i32) (local $reward f64)
  (local.set $at (i32.const %PATH%))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (global.get $path)))
      (local.set $table (i32.load (local.get $at)))
      (local.set $arm (i32.load offset=4 (local.get $at)))
      (local.set $reward (f64.div (f64.load offset=%TOTALS% (i32.shl (i32.load offset=8 (local.get $at)) (i32.const 3)))
        (f64.convert_i64_s (i64.load offset=8 (i32.const %MARKS%)))))
      (i64.store offset=24 (local.get $arm) (i64.add (i64.load offset=24 (local.get $arm)) (i64.const 1)))
      (f64.store offset=32 (local.get $arm) (f64.add (f64.load offset=32 (local.get $arm)) (local.get $reward)))
      (f64.store offset=24 (local.get $table) (f64.add (f64.load offset=24 (local.get $table)) (local.get $reward)))
      (f64.store offset=32 (local.get $table)
        (f64.add (f64.load offset=32 (local.get $table)) (f64.mul (local.get $reward) (local.get $reward))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))))

;; Answer the pending question.
(func $decide
  (local $kind i32) (local $seat i64) (local $arm i32) (local $at_once i32) (local $is_other i32)
  (if (i32.eq (global.get $mode) (i32.const %RANDOM%)) (then (call $by_chance) (return)))
  (local.set $kind (call $kind))
  (local.set $seat (i64.load (i32.const %ASKER%)))
  (local.set $at_once (i32.ne (i32.load (i32.load (i32.const %TO_ACT%))) (i32.const 0)))
  (if (i32.eq (local.get $kind) (i32.const %RACE%))
    (then (if (i32.eq (global.get $mode) (i32.const %ROOT%)) (then (unreachable))) (call $count_trial) (call $by_chance) (return)))
  (if (call $is_given (local.get $seat) (local.get $at_once)) (then (return)))
  (if (i32.eq (global.get $mode) (i32.const %ROOT%))
    (then
      (if (i64.ne (local.get $seat) (global.get $me)) (then (call $by_chance) (return)))
      (call $list_keys (local.get $kind))
      (i64.store (i32.const %FOUND%) (i64.extend_i32_u (global.get $options)))
      (i64.store offset=8 (i32.const %FOUND%) (i64.extend_i32_u (call $table (call $asked (global.get $stage)) (i32.const 1))))
      (global.set $over (i32.const 1))
      (return)))
  (if (i32.eq (global.get $mode) (i32.const %EACH%))
    (then
      (if (i64.eq (local.get $seat) (global.get $me)) (then (call $try (local.get $kind))) (else (call $by_chance)))
      (return)))
  (call $count_trial)
  (local.set $is_other (i32.and (local.get $at_once) (i64.ne (local.get $seat) (global.get $me))))
  ;; In the midst of simultaneous answers, whoever searches still answers by the tree when somebody else has left it.
  (if (i32.or (i32.eq (global.get $mode) (i32.const %RANDOM%)) (i32.or
        (i32.and (i32.eq (global.get $mode) (i32.const %TRIED%)) (i32.eqz (local.get $is_other)))
        (i32.and (i32.eq (global.get $mode) (i32.const %LEFT%)) (i32.eqz (local.get $at_once)))))
    (then (call $by_chance) (return)))
  (call $disclose (local.get $seat) (local.get $at_once))
  (call $list_keys (local.get $kind))
  (if (i32.gt_u (global.get $options) (i32.const %MOST_OPTIONS%)) (then (call $by_chance) (return)))
  (if (call $is_only (local.get $kind)) (then (call $by_chance) (return)))
  (if (i32.eq (global.get $mode) (i32.const %TRIED%))
    (then
      (call $by_chance)
      (call $followed (call $table (call $asked (i64.const 2)) (i32.const 1)) (local.get $kind)))
    (else (if (i32.and (global.get $foreseen) (local.get $is_other))
      (then
        (local.set $arm (call $habit (call $table (call $asked (i64.const 2)) (i32.const 0)) (local.get $kind)))
        (if (local.get $arm) (then (call $take (local.get $arm) (local.get $kind))) (else (call $by_chance))))
      (else
        (if (i32.and (local.get $is_other) (i32.eq (global.get $mode) (i32.const %LEFT%))) (then (call $by_chance) (return)))
        (call $pick (call $table (call $asked (global.get $stage)) (i32.const 1)) (local.get $kind))))))
  (call $remember (local.get $seat) (local.get $at_once) (local.get $kind)))

;; Give the answer whose turn it is, and leave the rest to chance; nothing follows where there is none. In the first match, answers are
;; only drawn.
(func $try (param $kind i32)
  (local $table i32) (local $arm i32)
  (call $list_keys (local.get $kind))
  (local.set $table (call $table (call $asked (global.get $stage)) (i32.const 1)))
  (global.set $mode (i32.const %RANDOM%))
  (if (global.get $is_first)
    (then (if (call $draw_new (local.get $table) (local.get $kind))
      (then (call $followed (local.get $table) (local.get $kind)) (global.set $path (i32.const %PATH%)))))
    (else
      (local.set $arm (i32.load offset=4 (local.get $table)))
      (block $found
        (loop $next
          (br_if $found (i32.or (i32.eqz (local.get $arm)) (i32.eqz (global.get $nth))))
          (local.set $arm (i32.load (local.get $arm)))
          (global.set $nth (i32.sub (global.get $nth) (i32.const 1)))
          (br $next)))
      (if (local.get $arm) (then (if (call $allowed (local.get $arm) (local.get $kind))
        (then (call $follow (local.get $table) (local.get $arm)) (call $take (local.get $arm) (local.get $kind)) (return)))))))
  (global.set $over (i32.const 1)))

;; All answers that are tried in a match have the same chance.
(func $same_chance
  (if (global.get $nth)
    (then (memory.copy (i32.const %CHANCE%) (i32.const %WORK%) (i32.const %BOTH%)) (return)))
  (drop (call $random (i32.const %CHANCE%)))
  (drop (call $random (i32.const %ANSWERS%)))
  (memory.copy (i32.const %WORK%) (i32.const %CHANCE%) (i32.const %BOTH%)))

;; What whoever searches has answered already while others act at the same time: 1 if the pending question is one of these.
(func $is_given (param $seat i64) (param $at_once i32) (result i32)
  (local $answer i64)
  (if (i64.ge_s (global.get $given) (i64.load (i32.const %GIVEN%))) (then (return (i32.const 0))))
  (if (i32.eqz (i32.and (local.get $at_once) (i64.eq (local.get $seat) (global.get $me)))) (then (return (i32.const 0))))
  (global.set $given (i64.add (global.get $given) (i64.const 1)))
  (local.set $answer (i64.load offset=%GIVEN% (i32.shl (i32.wrap_i64 (global.get $given)) (i32.const 3))))
  (if (i32.ge_u (call $kind) (i32.const 2)) (then (unreachable)))
  (if (i32.lt_s (call $index (i32.load (i32.const %OPTIONS%)) (local.get $answer)) (i32.const 0))
    (then (if (i64.ne (local.get $answer) (i64.load offset=%NOTHING% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 4))))
      (then (unreachable)))))
  (i64.store (i32.const %ANSWER%) (local.get $answer))
  (call $anew)
  (i32.const 1))

(func $by_chance
  (call_indirect (type $answer) (i32.add (i32.const %SEGMENTS%) (i32.wrap_i64 (i64.load (i32.const %SITE%))))))

(func $count_trial
  (if (i32.ne (global.get $mode) (i32.const %TRIED%)) (then (return)))
  (global.set $left (i32.sub (global.get $left) (i32.const 1)))
  (if (i32.le_s (global.get $left) (i32.const 0)) (then (global.set $mode (i32.const %RANDOM%)))))

;; The kind of the pending question: 0 for one answer, 1 if it may be passed, 2 and 3 for several, 4 for a race.
(func $kind (result i32)
  (i32.load offset=%SITES% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 4))))

(func $is_only (param $kind i32) (result i32)
  (if (i32.ge_u (local.get $kind) (i32.const 2)) (then (return (i64.le_s (i64.load (i32.const %HIGH%)) (i64.const 0)))))
  (i32.eq (global.get $options) (i32.const 1)))

;; The keys of all answers, from what the player can distinguish; one for passing comes last.
(func $list_keys (param $kind i32)
  (local $keys i32)
  (local.set $keys (call_indirect (type $keys) (i32.add (i32.const %KEY_FUNCTIONS%) (i32.wrap_i64 (i64.load (i32.const %SITE%))))))
  (global.set $options (i32.load (local.get $keys)))
  (if (i32.gt_u (global.get $options) (i32.const %MOST_OPTIONS%)) (then (return)))
  (call $move (i32.const %BEFORE_OPTIONS%) (local.get $keys) (global.get $options))
  (if (i32.lt_u (local.get $kind) (i32.const 2))
    (then (if (i32.or (local.get $kind) (i32.eqz (global.get $options)))
      (then
        (i64.store offset=%OPTION_KEYS% (i32.shl (global.get $options) (i32.const 3)) (i64.const %PASS%))
        (global.set $options (i32.add (global.get $options) (i32.const 1))))))))

(func $mixed (param $a i64) (param $b i64) (result i64)
  (local.set $a (i64.mul (i64.const 0x9e3779b185ebca87) (i64.rotl
    (i64.add (local.get $a) (i64.mul (i64.add (local.get $b) (i64.const 1)) (i64.const 0xc2b2ae3d27d4eb4f))) (i64.const 31))))
  (i64.xor (local.get $a) (i64.shr_u (local.get $a) (i64.const 32))))

;; What identifies the pending question: what was answered before, the player, the place, and the player's answers that others do not know.
(func $asked (param $before i64) (result i64)
  (call $mixed
    (call $mixed (local.get $before)
      (i64.add (i64.shl (i64.load (i32.const %ASKER%)) (i64.const 32)) (i64.load (i32.const %SITE%))))
    (i64.load offset=%OWN% (i32.shl (i32.wrap_i64 (i64.load (i32.const %ASKER%))) (i32.const 3)))))

;; When simultaneous answers are over, all know them.
(func $disclose (param $seat i64) (param $at_once i32)
  (local $at i32)
  (if (i32.eqz (global.get $together)) (then (return)))
  (if (local.get $at_once)
    (then
      (if (i64.eq (local.get $seat) (global.get $last)) (then (return)))
      (if (i64.eqz (i64.load offset=%OWN% (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3)))) (then (return)))))
  (loop $seats
    (global.set $stage (call $mixed (global.get $stage) (i64.load offset=%OWN% (local.get $at))))
    (i64.store offset=%OWN% (local.get $at) (i64.const 0))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br_if $seats (i32.lt_u (local.get $at) (i32.const %TOTAL_BYTES%))))
  (global.set $together (i32.const 0)))

;; Add the answer that was given to the answers so far.
(func $remember (param $seat i64) (param $at_once i32) (param $kind i32)
  (local $at i32) (local $key i64)
  (local.set $key (call $key_of_answer (local.get $kind)))
  (global.set $last (local.get $seat))
  (if (local.get $at_once)
    (then
      (local.set $at (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3)))
      (i64.store offset=%OWN% (local.get $at) (call $mixed (i64.load offset=%OWN% (local.get $at)) (local.get $key)))
      (global.set $together (i32.const 1)))
    (else (global.set $stage (call $mixed (global.get $stage) (local.get $key))))))

;; The key of the answer that was given. Marks the options of a selection.
(func $key_of_answer (param $kind i32) (result i64)
  (local $i i32) (local $listed i32) (local $options i32) (local $key i64)
  (local.set $options (i32.load (i32.const %OPTIONS%)))
  (if (i32.lt_u (local.get $kind) (i32.const 2))
    (then
      (local.set $i (call $index (local.get $options) (i64.load (i32.const %ANSWER%))))
      (if (i32.lt_s (local.get $i) (i32.const 0)) (then (return (i64.const %PASS%))))
      (return (i64.load offset=%OPTION_KEYS% (i32.shl (local.get $i) (i32.const 3))))))
  (local.set $listed (i32.load (i32.const %ANSWER%)))
  (memory.fill (i32.const %CHOSEN%) (i32.const 0) (global.get $options))
  (local.set $key (i64.const 3))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $i) (global.get $options)))
      (if (i32.ge_s (call $index (local.get $listed) (i64.load (call $words (local.get $options) (local.get $i)))) (i32.const 0))
        (then
          (i32.store8 offset=%CHOSEN% (local.get $i) (i32.const 1))
          (local.set $key (call $mixed (local.get $key) (i64.load offset=%OPTION_KEYS% (i32.shl (local.get $i) (i32.const 3)))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
  (local.get $key))

;; --- the tree

(func $table (param $id i64) (param $is_made i32) (result i32)
  (local $bucket i32) (local $table i32)
  (local.set $bucket (i32.add (i32.const %BUCKETS%)
    (i32.and (i32.shl (i32.wrap_i64 (local.get $id)) (i32.const 2)) (i32.const %BUCKET_MASK%))))
  (local.set $table (i32.load (local.get $bucket)))
  (block $none
    (loop $next
      (br_if $none (i32.eqz (local.get $table)))
      (if (i64.eq (i64.load offset=8 (local.get $table)) (local.get $id)) (then (return (local.get $table))))
      (local.set $table (i32.load (local.get $table)))
      (br $next)))
  (if (i32.eqz (local.get $is_made)) (then (return (i32.const 0))))
  (local.set $table (call $plot (i32.const 40)))
  (i32.store (local.get $table) (i32.load (local.get $bucket)))
  (i64.store offset=8 (local.get $table) (local.get $id))
  (i32.store (local.get $bucket) (local.get $table))
  (local.get $table))

;; So many bytes of the tree, all 0; traps when there are no more, which ends the search.
(func $plot (param $bytes i32) (result i32)
  (local $at i32)
  (local.set $at (global.get $planted))
  (global.set $planted (i32.add (local.get $at) (local.get $bytes)))
  (if (i32.gt_u (global.get $planted) (i32.const %PLANTED_END%)) (then (unreachable)))
  (memory.fill (local.get $at) (i32.const 0) (local.get $bytes))
  (local.get $at))

;; The arm of the answer that was given, made if necessary. It joins the path.
(func $followed (param $table i32) (param $kind i32)
  (local $key i64) (local $arm i32) (local $i i32) (local $keys i32)
  (local.set $key (call $key_of_answer (local.get $kind)))
  (local.set $arm (call $known (local.get $table) (local.get $key)))
  (if (i32.eqz (local.get $arm))
    (then
      (local.set $arm (call $plot (i32.const 40)))
      (i32.store (local.get $arm) (i32.load offset=4 (local.get $table)))
      (i32.store offset=4 (local.get $table) (local.get $arm))
      (i64.store offset=8 (local.get $arm) (local.get $key))
      (i64.store offset=16 (local.get $arm) (i64.const 1))
      (if (i32.ge_u (local.get $kind) (i32.const 2))
        (then
          (local.set $keys (call $plot (i32.shl (i32.add (i32.const 1) (i32.load (i32.load (i32.const %ANSWER%)))) (i32.const 3))))
          (i32.store offset=4 (local.get $arm) (local.get $keys))
          (i32.store offset=4 (local.get $keys) (i32.load (i32.load (i32.const %ANSWER%))))
          (loop $next
            (if (i32.lt_u (local.get $i) (global.get $options))
              (then
                (if (i32.load8_u offset=%CHOSEN% (local.get $i))
                  (then (call $put (local.get $keys) (i64.load offset=%OPTION_KEYS% (i32.shl (local.get $i) (i32.const 3))))))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br $next))))))))
  (call $follow (local.get $table) (local.get $arm)))

(func $known (param $table i32) (param $key i64) (result i32)
  (local $arm i32)
  (local.set $arm (i32.load offset=4 (local.get $table)))
  (block $none
    (loop $next
      (br_if $none (i32.eqz (local.get $arm)))
      (if (i64.eq (i64.load offset=8 (local.get $arm)) (local.get $key)) (then (return (local.get $arm))))
      (local.set $arm (i32.load (local.get $arm)))
      (br $next)))
  (i32.const 0))

(func $follow (param $table i32) (param $arm i32)
  (i32.store (global.get $path) (local.get $table))
  (i32.store offset=4 (global.get $path) (local.get $arm))
  (i64.store offset=8 (global.get $path) (i64.load (i32.const %ASKER%)))
  (global.set $path (i32.add (global.get $path) (i32.const 16)))
  (if (i32.ge_u (global.get $path) (i32.const %PATH_END%)) (then (unreachable))))

;; Whether an answer is among the options; marks those of a selection.
(func $allowed (param $arm i32) (param $kind i32) (result i32)
  (local $keys i32) (local $i i32) (local $k i32) (local $size i32)
  (if (i32.lt_u (local.get $kind) (i32.const 2))
    (then (return (i32.ge_s (call $index_of_key (i64.load offset=8 (local.get $arm)) (i32.const 0)) (i32.const 0)))))
  (local.set $keys (i32.load offset=4 (local.get $arm)))
  (local.set $size (i32.load (local.get $keys)))
  (if (i64.gt_s (i64.extend_i32_u (local.get $size)) (i64.load (i32.const %HIGH%))) (then (return (i32.const 0))))
  (if (i64.lt_s (i64.extend_i32_u (local.get $size)) (i64.load (i32.const %LOW%)))
    (then (if (i32.or (local.get $size) (i32.eq (local.get $kind) (i32.const 2))) (then (return (i32.const 0))))))
  (memory.fill (i32.const %CHOSEN%) (i32.const 0) (global.get $options))
  (loop $next
    (if (i32.lt_u (local.get $k) (local.get $size))
      (then
        (local.set $i (call $index_of_key (i64.load (call $words (local.get $keys) (local.get $k))) (i32.const 1)))
        (if (i32.lt_s (local.get $i) (i32.const 0)) (then (return (i32.const 0))))
        (i32.store8 offset=%CHOSEN% (local.get $i) (i32.const 1))
        (local.set $k (i32.add (local.get $k) (i32.const 1)))
        (br $next))))
  (i32.const 1))

;; The index of an option with a key, or -1: of one that is not marked, if that is asked for.
(func $index_of_key (param $key i64) (param $is_unmarked i32) (result i32)
  (local $i i32)
  (block $none
    (loop $next
      (br_if $none (i32.ge_u (local.get $i) (global.get $options)))
      (if (i64.eq (local.get $key) (i64.load offset=%OPTION_KEYS% (i32.shl (local.get $i) (i32.const 3))))
        (then (if (i32.eqz (i32.and (local.get $is_unmarked) (i32.load8_u offset=%CHOSEN% (local.get $i)))) (then (return (local.get $i))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))
  (i32.const -1))

;; Give the answer of an arm, which is allowed.
(func $take (param $arm i32) (param $kind i32)
  (local $i i32) (local $made i32) (local $options i32)
  (local.set $options (i32.load (i32.const %OPTIONS%)))
  (if (i32.lt_u (local.get $kind) (i32.const 2))
    (then
      (local.set $i (call $index_of_key (i64.load offset=8 (local.get $arm)) (i32.const 0)))
      (i64.store (i32.const %ANSWER%) (if (result i64) (i32.lt_u (local.get $i) (i32.load (local.get $options)))
        (then (i64.load (call $words (local.get $options) (local.get $i))))
        (else (i64.load offset=%NOTHING% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 4)))))))
    (else
      (drop (call $allowed (local.get $arm) (local.get $kind)))
      (local.set $made (call $new (global.get $options)))
      (loop $next
        (if (i32.lt_u (local.get $i) (global.get $options))
          (then
            (if (i32.load8_u offset=%CHOSEN% (local.get $i))
              (then (call $put (local.get $made) (i64.load (call $words (local.get $options) (local.get $i))))))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $next))))
      (i64.store (i32.const %ANSWER%) (i64.or (i64.const 281474976710656) (i64.extend_i32_u (local.get $made))))))
  (call $anew))

;; The best answer of those that were tried and are allowed; 0 if there is none.
(func $habit (param $table i32) (param $kind i32) (result i32)
  (local $arm i32) (local $best i32) (local $mean f64) (local $most f64)
  (if (i32.eqz (local.get $table)) (then (return (i32.const 0))))
  (local.set $arm (i32.load offset=4 (local.get $table)))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (local.get $arm)))
      (local.set $mean (f64.div (f64.load offset=32 (local.get $arm)) (f64.convert_i64_s (i64.load offset=24 (local.get $arm)))))
      (if (i32.or (i32.eqz (local.get $best)) (f64.gt (local.get $mean) (local.get $most)))
        (then (if (call $allowed (local.get $arm) (local.get $kind))
          (then (local.set $best (local.get $arm)) (local.set $most (local.get $mean))))))
      (local.set $arm (i32.load (local.get $arm)))
      (br $next)))
  (local.get $best))

;; Give the answer to follow: a new one, with which the tree is left, or the one with the greatest upper confidence bound.
(func $pick (param $table i32) (param $kind i32)
  (local $arm i32) (local $best i32) (local $bound f64) (local $most f64) (local $count i32) (local $deviation f64) (local $visits f64)
  (i64.store offset=16 (local.get $table) (i64.add (i64.load offset=16 (local.get $table)) (i64.const 1)))
  (local.set $visits (f64.convert_i64_s (i64.load offset=16 (local.get $table))))
  (local.set $bound (f64.div (f64.load offset=24 (local.get $table)) (local.get $visits)))
  (local.set $deviation (f64.add (f64.const %LEAST_DEVIATION%) (f64.sqrt (f64.max (f64.const 0)
    (f64.sub (f64.div (f64.load offset=32 (local.get $table)) (local.get $visits)) (f64.mul (local.get $bound) (local.get $bound)))))))
  (local.set $arm (i32.load offset=4 (local.get $table)))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (local.get $arm)))
      (if (call $allowed (local.get $arm) (local.get $kind))
        (then
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (i64.store offset=16 (local.get $arm) (i64.add (i64.load offset=16 (local.get $arm)) (i64.const 1)))
          (local.set $visits (f64.convert_i64_s (i64.load offset=24 (local.get $arm))))
          (local.set $bound (f64.add (f64.div (f64.load offset=32 (local.get $arm)) (local.get $visits))
            (f64.mul (local.get $deviation)
              (f64.sqrt (f64.div (call $logarithm (i64.load offset=16 (local.get $arm))) (local.get $visits))))))
          (if (i32.or (i32.eqz (local.get $best)) (f64.gt (local.get $bound) (local.get $most)))
            (then (local.set $best (local.get $arm)) (local.set $most (local.get $bound))))))
      (local.set $arm (i32.load (local.get $arm)))
      (br $next)))
  (if (f64.lt (f64.convert_i32_u (local.get $count)) (f64.max (f64.const %ALL_TRIED%)
        (f64.mul (f64.const 2) (f64.sqrt (f64.convert_i64_s (i64.load offset=16 (local.get $table)))))))
    (then (if (call $draw_new (local.get $table) (local.get $kind))
      (then (call $followed (local.get $table) (local.get $kind)) (global.set $mode (i32.const %LEFT%)) (return)))))
  (if (i32.eqz (local.get $best)) (then (global.set $mode (i32.const %LEFT%)) (call $by_chance) (return)))
  (call $follow (local.get $table) (local.get $best))
  (call $take (local.get $best) (local.get $kind)))

;; Give an answer without an arm; 0 if there is none, or none was found.
(func $draw_new (param $table i32) (param $kind i32) (result i32)
  (local $i i32) (local $left i32)
  (if (i32.ge_u (local.get $kind) (i32.const 2))
    (then
      (loop $again
        (call $by_chance)
        (if (i32.eqz (call $known (local.get $table) (call $key_of_answer (local.get $kind)))) (then (return (i32.const 1))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $again (i32.lt_u (local.get $i) (i32.const %ATTEMPTS%))))
      (return (i32.const 0))))
  (memory.fill (i32.const %CHOSEN%) (i32.const 0) (global.get $options))
  (loop $marking
    (if (i32.eqz (call $known (local.get $table) (i64.load offset=%OPTION_KEYS% (i32.shl (local.get $i) (i32.const 3)))))
      (then (i32.store8 offset=%CHOSEN% (local.get $i) (i32.const 1)) (local.set $left (i32.add (local.get $left) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $marking (i32.lt_u (local.get $i) (global.get $options))))
  (if (i32.eqz (local.get $left)) (then (return (i32.const 0))))
  (local.set $left (i32.trunc_f64_u (f64.mul (call $random (i32.const %ANSWERS%)) (f64.convert_i32_u (local.get $left)))))
  (local.set $i (i32.const -1))
  (loop $counting
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $counting (i32.eqz (i32.load8_u offset=%CHOSEN% (local.get $i))))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $counting (i32.ge_s (local.get $left) (i32.const 0))))
  (i64.store (i32.const %ANSWER%) (if (result i64) (i32.lt_u (local.get $i) (i32.load (i32.load (i32.const %OPTIONS%))))
    (then (i64.load (call $words (i32.load (i32.const %OPTIONS%)) (local.get $i))))
    (else (i64.load offset=%NOTHING% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 4))))))
  (call $anew)
  (i32.const 1))

;; The natural logarithm, to four digits.
(func $logarithm (param $n i64) (result f64)
  (local $shift i64)
  (if (i64.ge_u (local.get $n) (i64.const 1024))
    (then (local.set $shift (i64.sub (i64.const 54) (i64.clz (local.get $n))))))
  (f64.add (f64.mul (f64.const 0.6931471805599453) (f64.convert_i64_u (local.get $shift)))
    (f64.load offset=%LOGARITHMS% (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $n) (local.get $shift))) (i32.const 3)))))

;; The keys of options that are what they are: the options themselves.
(func $listed (result i32)
  (i32.load (i32.const %OPTIONS%)))

;; Count work anew after an answer, as `begin_anew` does.
(func $anew
  (i64.store (i32.const %FUEL%) (i64.sub (i64.load (i32.const %FUEL%)) (i64.const %ANSWERED%)))
  (i64.store (i32.const %SINCE%) (i64.const 0))
  (i64.store (i32.const %PASSES%) (i64.const 0)))
