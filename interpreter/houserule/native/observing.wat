;; Many matches side by side, of which one player is shown each: what the player sees and may answer, as numbers (see `running.observing`).
;; The others answer by chance. A record has, from its beginning: whether the match is over, its number of decisions, who is asked, its
;; row, what the player sees, which numbers are legal, both generators, and the stored state.

(global $decisions (mut i64) (i64.const 0))

;; Carry out the commands of these matches: -1 leaves a match alone, -2 begins one with its seed, and any other number is the answer.
(func (export "observe") (param $first i32) (param $matches i32) (param $seat i64)
  (local $at i32) (local $command i64)
  (global.set $done (local.get $first))
  (global.set $mode (i32.const %RANDOM%))
  (global.set $group (i32.const 0))
  (block $finished
    (loop $next
      (br_if $finished (i32.ge_u (global.get $done) (local.get $matches)))
      (local.set $at (i32.add (i32.const %RECORDS%) (i32.mul (global.get $done) (i32.const %RECORD%))))
      (local.set $command (i64.load offset=%ROWS% (i32.shl (global.get $done) (i32.const 3))))
      (if (i64.ne (local.get $command) (i64.const -1))
        (then
          (if (i64.eq (local.get $command) (i64.const -2))
            (then
              (call $unpack (i32.const %FIRST%))
              (global.set $decisions (i64.const 0))
              (call $seeded_by_number (i64.load offset=%KEYS% (i32.shl (global.get $done) (i32.const 3)))))
            (else
              (call $resume (local.get $at))
              (call $take_number (local.get $command))))
          (call $show (local.get $at) (local.get $seat) (call $until_asked (local.get $seat)))
          (call $store (local.get $at))))
      (global.set $done (i32.add (global.get $done) (i32.const 1)))
      (br $next))))

;; Carry out a command for the match that is not stored, up to the next question of anybody, and show it to whoever is asked.
(func (export "turn") (param $command i64)
  (global.set $mode (i32.const %RANDOM%))
  (if (i64.eq (local.get $command) (i64.const -2))
    (then
      (call $unpack (i32.const %FIRST%))
      (global.set $group (i32.const 0))
      (global.set $decisions (i64.const 0))
      (call $seeded_by_number (i64.load (i32.const %KEYS%))))
    (else (call $take_number (local.get $command))))
  (local.set $command (i64.extend_i32_u (call $play (i64.const 0))))
  (call $show (i32.const %RECORDS%) (select (i64.load (i32.const %ASKER%)) (i64.const 0) (i64.eqz (local.get $command)))
    (i32.wrap_i64 (local.get $command))))

;; Show it to another player.
(func (export "look") (param $seat i64)
  (call $show (i32.const %RECORDS%) (local.get $seat) (i32.load (i32.const %RECORDS%))))

;; Play until the player is asked; 1 if the match is over.
(func $until_asked (param $seat i64) (result i32)
  (loop $on
    (if (call $play (i64.const 0)) (then (return (i32.const 1))))
    (if (i64.ne (i64.load (i32.const %WAITS%)) (i64.const %ASK%)) (then (unreachable)))
    (if (i64.eq (i64.load (i32.const %ASKER%)) (local.get $seat)) (then (return (i32.const 0))))
    (if (i64.ge_s (global.get $decisions) (i64.const %LONGEST_MATCH%)) (then (return (i32.const 0))))
    (call $by_chance)
    (call $answered)
    (br $on))
  (unreachable))

(func $answered
  (i64.store (i32.const %WAITS%) (i64.const 0))
  (global.set $decisions (i64.add (global.get $decisions) (i64.const 1))))

;; The numbers of the options of the pending question.
(func $numbers (result i32)
  (call_indirect (type $keys) (i32.load offset=%ASKINGS% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 3)))))

;; Answer the pending question by a number that is legal.
(func $take_number (param $number i64)
  (local $i i32)
  (local.set $i (call $index (call $numbers) (local.get $number)))
  (i64.store (i32.const %ANSWER%) (if (result i64) (i32.lt_s (local.get $i) (i32.const 0))
    (then (i64.load offset=%NOTHING% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 4))))
    (else (i64.load (call $words (i32.load (i32.const %OPTIONS%)) (local.get $i))))))
  (call $anew)
  (call $answered))

(func $show (param $at i32) (param $seat i64) (param $over i32)
  (local $is_asked i32)
  (i64.store (local.get $at) (i64.extend_i32_u (local.get $over)))
  (i64.store offset=8 (local.get $at) (global.get $decisions))
  (i64.store offset=16 (local.get $at) (select (i64.const -1) (i64.load (i32.const %ASKER%)) (local.get $over)))
  (local.set $is_asked (i32.and (i32.eqz (local.get $over)) (i64.eq (i64.load (i32.const %ASKER%)) (local.get $seat))))
  (memory.fill (i32.const %OBSERVED%) (i32.const 0) (i32.const %OBSERVED_BYTES%))
  (i64.store offset=%OBSERVED% (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3)) (i64.const 1))
  (if (i32.eqz (local.get $over))
    (then (i64.store offset=%ASKED_SEATS% (i32.shl (i32.wrap_i64 (i64.load (i32.const %ASKER%))) (i32.const 3)) (i64.const 1))))
  (if (local.get $is_asked)
    (then (i64.store offset=%ASKED_SITES% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 3)) (i64.const 1))))
  (call $see (local.get $seat))
  (memory.copy (i32.add (local.get $at) (i32.const %SEEN%)) (i32.const %OBSERVED%) (i32.const %OBSERVED_BYTES%))
  (memory.fill (i32.add (local.get $at) (i32.const %LEGAL%)) (i32.const 0) (i32.const %LEGAL_BYTES%))
  (if (local.get $is_asked) (then (call $show_legal (i32.add (local.get $at) (i32.const %LEGAL%)))))
  (if (local.get $over)
    (then
      (global.set $row (i32.add (local.get $at) (i32.const %ROW%)))
      (call $result)
      (call $sum_up (i64.const 0)))))

;; Store a match that goes on.
(func $store (param $at i32)
  (local $size i32)
  (if (i32.load (local.get $at)) (then (return)))
  (call $keep_chance (i32.add (local.get $at) (i32.const %CHANCE_KEPT%)) (i32.const %CHANCE%))
  (call $keep_chance (i32.add (local.get $at) (i32.const %ANSWERS_KEPT%)) (i32.const %ANSWERS%))
  (local.set $size (i32.sub (call $pack (i32.const %KEPT%)) (i32.const %KEPT%)))
  (if (i32.gt_u (local.get $size) (i32.const %STORED_BYTES%)) (then (unreachable)))
  (memory.copy (i32.add (local.get $at) (i32.const %STORED%)) (i32.const %KEPT%) (local.get $size)))

(func $show_legal (param $at i32)
  (local $numbers i32) (local $i i32) (local $length i32) (local $kind i32)
  (local.set $numbers (call $numbers))
  (local.set $length (i32.load (local.get $numbers)))
  (local.set $kind (call $kind))
  (if (i32.or (i32.eqz (local.get $length)) (local.get $kind))
    (then (i32.store8 (i32.add (local.get $at)
      (i32.load offset=%PASSING% (i32.shl (i32.wrap_i64 (i64.load (i32.const %SITE%))) (i32.const 3)))) (i32.const 1))))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $i) (local.get $length)))
      (i32.store8 (i32.add (local.get $at) (i32.wrap_i64 (i64.load (call $words (local.get $numbers) (local.get $i))))) (i32.const 1))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next))))

(func $resume (param $at i32)
  (call $bring_chance (i32.const %CHANCE%) (i32.add (local.get $at) (i32.const %CHANCE_KEPT%)))
  (call $bring_chance (i32.const %ANSWERS%) (i32.add (local.get $at) (i32.const %ANSWERS_KEPT%)))
  (global.set $decisions (i64.load offset=8 (local.get $at)))
  (call $unpack (i32.add (local.get $at) (i32.const %STORED%))))

;; A generator that is not seeded yet has no words; those of one that is lie behind its head, since no lanes are seeded here.
(func $keep_chance (param $to i32) (param $g i32)
  (memory.copy (local.get $to) (local.get $g)
    (select (i32.const 112) (i32.const %GENERATOR%) (i32.load offset=12 (local.get $g)))))

(func $bring_chance (param $g i32) (param $from i32)
  (memory.copy (local.get $g) (local.get $from)
    (select (i32.const 112) (i32.const %GENERATOR%) (i32.load offset=12 (local.get $from)))))
