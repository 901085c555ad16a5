;; Plays random matches: runs segments, answers questions, and writes a row for each match.

;; Play the current match to its end (1), or until a number of decisions were made (0).
(func $play (export "play") (param $most i64) (result i32)
  (local $pc i64)
  (i64.store (i32.const %CHANCES%) (local.get $most))
  (global.set $over (i32.const 0))
  (local.set $pc (select (i64.load (i32.const %PC%)) (i64.load (i32.const %WAITS%)) (i64.eqz (i64.load (i32.const %WAITS%)))))
  (i64.store (i32.const %WAITS%) (i64.const 0))
  (loop $on
    (if (i64.ge_s (local.get $pc) (i64.const 0))
      (then
        (if (i32.gt_u (i32.sub (global.get $top) (i32.const %ARENA%)) (i32.const %TIDY%)) (then (call $tidy)))
        (local.set $pc (call_indirect (type $segment) (i32.wrap_i64 (local.get $pc))))
        (br_if $on (i32.eqz (global.get $over)))
        (return (i32.const 1))))
    (if (i64.eq (local.get $pc) (i64.const %DONE%))
      (then (local.set $pc (call $to_act)) (br $on)))
    (if (i64.eq (local.get $pc) (i64.const %GAME_OVER%)) (then (return (i32.const 1))))
    ;; A together that begins without decisions left is played whole later: see `fork`.
    (if (call $is_to_wait)
      (then
        (if (i64.eqz (i64.load (i32.const %WHOLE%))) (then) (else (i64.store (i32.const %WHOLE%) (i64.const 2))))
        (i64.store (i32.const %WAITS%) (local.get $pc))
        (return (i32.const 0))))
    (if (i64.eq (local.get $pc) (i64.const %FORKED%))
      (then (local.set $pc (call $together)))
      (else
        (if (i64.ne (local.get $pc) (i64.const %ASK%)) (then (unreachable)))
        (call $decide)
        (local.set $pc (i64.load (i32.const %PC%)))))
    (br_if $on (i32.eqz (global.get $over))))
  (i32.const 1))

;; Whether there are no decisions left: a search goes on while it answers by its tree, and to the end of simultaneous answers.
(func $is_to_wait (result i32)
  (if (i32.eq (global.get $mode) (i32.const %LEFT%))
    (then (return (i32.eqz (i32.load (i32.load (i32.const %TO_ACT%)))))))
  (if (global.get $mode) (then (return (i32.const 0))))
  (i32.and (i64.le_s (i64.load (i32.const %CHANCES%)) (i64.const 0)) (i64.ne (i64.load (i32.const %WHOLE%)) (i64.const 2))))

;; Compact the arena: live lists are copied behind its end first, then moved as one block to its beginning.
(func $tidy
  (local $before i32) (local $frame i32) (local $at i32)
  (local.set $before (global.get $top))
  (global.set $moves (i32.sub (local.get $before) (i32.const %ARENA%)))
  (call $keep (i32.const %OPTIONS%)) (call $keep (i32.const %MUST%)) (call $keep (i32.const %ANSWER%))
  (call $keep (i32.const %SLAPPED%)) (call $keep (i32.const %DECLINED%))
  (call $keep (i32.const %WINNERS%)) (call $keep (i32.const %TO_ACT%))
  (local.set $at (i32.const %REMEMBERED%))  ;; values by position, and the saved frame, are adjacent
  (loop $kept
    (call $keep (local.get $at))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br_if $kept (i32.lt_u (local.get $at) (i32.add (i32.const %BEFORE%) (i32.const %FRAME_BYTES%)))))
  (local.set $at (i32.const %FRAMES%))
  (local.set $frame (i32.add (i32.load (i32.const %TOP%)) (i32.const %FRAME_BYTES%)))
  (loop $frames
    (call $keep (local.get $at))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (br_if $frames (i32.lt_u (local.get $at) (local.get $frame))))
  (memory.copy (i32.const %ARENA%) (local.get $before) (i32.sub (global.get $top) (local.get $before)))
  (global.set $top (i32.sub (global.get $top) (global.get $moves))))

;; A word that is a list in the arena: the list is copied to the end, and the word set to its future address.
(func $keep (param $at i32)
  (local $word i64) (local $list i32)
  (local.set $word (i64.load (local.get $at)))
  (if (i64.ne (i64.shr_s (local.get $word) (i64.const 32)) (i64.const 65536)) (then (return)))
  (local.set $list (i32.wrap_i64 (local.get $word)))
  (if (i32.lt_u (local.get $list) (i32.const %ARENA%)) (then (return)))
  (if (i32.eq (local.get $list) (i32.const -1)) (then (return)))  ;; a local for a list that is not set yet
  (local.set $list (call $copied (local.get $list)))
  (i64.store (local.get $at) (i64.or (i64.const 281474976710656)
    (i64.extend_i32_u (i32.sub (local.get $list) (global.get $moves))))))

(global $moves (mut i32) (i32.const 0))

;; Store the state at an address; returns the next address. Lists of numbers are stored with their lengths.
(func $pack (export "pack") (param $to i32) (result i32)
  (local $list i32) (local $at i32) (local $size i32)
  (call $tidy)
  (memory.copy (local.get $to) (i32.const %STATE%) (i32.const %FIXED%))
  (local.set $to (i32.add (local.get $to) (i32.const %FIXED%)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (i32.const %LISTED%)))
      (local.set $list (i32.load offset=%LISTS% (local.get $at)))
      (i64.store (local.get $to) (i64.load (local.get $list)))
      (call $move (local.get $to) (local.get $list) (i32.load (local.get $list)))
      (local.set $to (i32.add (i32.add (local.get $to) (i32.const 8)) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $next)))
  (local.set $size (i32.sub (global.get $top) (i32.const %ARENA%)))
  (if (i32.gt_u (local.get $size) (i32.const %MOST_LISTS%)) (then (unreachable)))
  (i64.store (local.get $to) (i64.extend_i32_u (local.get $size)))
  (local.set $to (i32.add (local.get $to) (i32.const 8)))
  (local.set $at (i32.sub (i32.add (i32.load (i32.const %TOP%)) (i32.const %FRAME_BYTES%)) (i32.const %FRAMES%)))
  (memory.copy (local.get $to) (i32.const %FRAMES%) (local.get $at))
  (local.set $to (i32.add (local.get $to) (local.get $at)))
  (memory.copy (local.get $to) (i32.const %ARENA%) (local.get $size))
  (i32.add (local.get $to) (local.get $size)))

;; Load the state from an address.
(func $unpack (export "unpack") (param $from i32)
  (local $list i32) (local $at i32) (local $size i32)
  (memory.copy (i32.const %STATE%) (local.get $from) (i32.const %FIXED%))
  (local.set $from (i32.add (local.get $from) (i32.const %FIXED%)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (i32.const %LISTED%)))
      (local.set $list (i32.load offset=%LISTS% (local.get $at)))
      (i64.store (local.get $list) (i64.load (local.get $from)))
      (call $move (local.get $list) (local.get $from) (i32.load (local.get $from)))
      (local.set $from (i32.add (i32.add (local.get $from) (i32.const 8)) (i32.shl (i32.load (local.get $from)) (i32.const 3))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $next)))
  (local.set $size (i32.wrap_i64 (i64.load (local.get $from))))
  (local.set $from (i32.add (local.get $from) (i32.const 8)))
  (local.set $at (i32.sub (i32.add (i32.load (i32.const %TOP%)) (i32.const %FRAME_BYTES%)) (i32.const %FRAMES%)))
  (memory.copy (i32.const %FRAMES%) (local.get $from) (local.get $at))
  (if (local.get $size)
    (then (memory.copy (i32.const %ARENA%) (i32.add (local.get $from) (local.get $at)) (local.get $size))))
  (global.set $top (i32.add (i32.const %ARENA%) (local.get $size)))
  (global.set $over (i32.const 0)))

;; Everyone on a copy of the state, one after another, by seat; the changes of each part go into another stored state.
(func $together (result i64)
  (local $pc i64) (local $i i32) (local $answers i64) (local $spent i64) (local $player i64) (local $before i64)
  (if (i32.eqz (i32.const %MIRRORED%)) (then (unreachable)))
  (drop (call $pack (i32.const %SLOTS%)))
  (drop (call $pack (i32.const %MERGED%)))
  (memory.copy (i32.const %BEFORE_TABLE%) (i32.const %V%) (i32.const %MIRRORED%))
  (local.set $before (i64.const -1))
  (block $all
    (loop $parts
      (br_if $all (i32.ge_u (local.get $i) (i32.load (i32.load (i32.const %TO_ACT%)))))
      (call $unpack (i32.const %SLOTS%))
      (local.set $player (i64.load (call $words (i32.load (i32.const %TO_ACT%)) (local.get $i))))
      (if (i64.le_s (local.get $player) (local.get $before)) (then (unreachable)))
      (local.set $before (local.get $player))
      (memory.copy (i32.const %FRAMES%) (i32.load (i32.const %TOP%)) (i32.const %FRAME_BYTES%))
      (i32.store (i32.const %TOP%) (i32.const %FRAMES%))
      (if (i64.ge_s (i64.load (i32.const %BINDER%)) (i64.const 0))
        (then (i64.store (i32.add (i32.const %FRAMES%) (i32.shl (i32.wrap_i64 (i64.load (i32.const %BINDER%))) (i32.const 3)))
          (local.get $player))))
      (i64.store (i32.const %DRAINING%) (i64.const 1))
      (i32.store (i32.const %QUEUE%) (i32.const 0))
      (i64.store (i32.const %CHANCES%) (i64.const 0))
      (i64.store (i32.const %FUEL%) (i64.sub (i64.load (i32.const %FUEL%)) (i64.const %ALONE%)))
      (i64.store (i32.const %PASSES%) (i64.const 0))
      (local.set $spent (i64.add (local.get $spent) (i64.add (i64.load (i32.const %FUEL%)) (i64.load (i32.const %RESERVE%)))))
      (local.set $pc (i64.load (i32.const %INSIDE%)))
      (block $done
        (loop $on
          (if (i64.ge_s (local.get $pc) (i64.const 0))
            (then
              (local.set $pc (call_indirect (type $segment) (i32.wrap_i64 (local.get $pc))))
              (if (global.get $over) (then (unreachable)))
              (br $on)))
          (br_if $done (i64.eq (local.get $pc) (i64.const %DONE%)))
          (if (i64.ne (local.get $pc) (i64.const %ASK%)) (then (unreachable)))
          (call $decide)
          (if (global.get $over) (then (return (i64.const 0))))
          (local.set $pc (i64.load (i32.const %PC%)))
          (br $on)))
      (local.set $answers (i64.sub (local.get $answers) (i64.load (i32.const %CHANCES%))))
      (local.set $spent (i64.sub (local.get $spent) (i64.add (i64.load (i32.const %FUEL%)) (i64.load (i32.const %RESERVE%)))))
      (memory.copy (i32.const %PART_TABLE%) (i32.const %V%) (i32.const %MIRRORED%))
      (call $unpack (i32.const %MERGED%))
      (call $take_part (local.get $player))
      (drop (call $pack (i32.const %MERGED%)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $parts)))
  (i64.store (i32.const %CHANCES%) (i64.sub (i64.load (i32.const %CHANCES%)) (local.get $answers)))
  (i64.store (i32.const %RESERVE%) (i64.sub (i64.load (i32.const %RESERVE%)) (local.get $spent)))
  (i64.store (i32.const %FUEL%) (i64.sub (i64.load (i32.const %FUEL%)) (i64.const %ANSWERED%)))
  (i64.store (i32.const %SINCE%) (i64.const 0))
  (i64.store (i32.const %PASSES%) (i64.const 0))
  (i64.store (i32.const %TO_ACT%) (i64.const %EMPTY%))
  (i64.load (i32.const %THEN%)))

;; Play a number of matches from the beginning. Their seeds are numbers of 64 bits; or else pairs for chance and answers, each as
;; its length in words and its words. $done is the number of their rows, even if a match trapped.
(global $done (export "done") (mut i32) (i32.const 0))
(global $at_key (mut i32) (i32.const 0))

(func $batch (export "batch") (param $matches i32) (param $numbers i32) (param $most i64) (param $rows i32)
  (global.set $done (i32.const 0))
  (global.set $at_key (i32.const %KEYS%))
  (global.set $row (local.get $rows))
  (global.set $group (i32.const 0))
  (global.set $mode (i32.const %RANDOM%))
  (call $clear_cells)
  (call $clear_course)
  (block $finished
    (loop $next
      (br_if $finished (i32.ge_u (global.get $done) (local.get $matches)))
      (call $unpack (i32.const %FIRST%))
      (if (local.get $numbers)
        (then
          (call $next_seed (global.get $at_key) (i32.sub (local.get $matches) (global.get $done)))
          (global.set $at_key (i32.add (global.get $at_key) (i32.const 8))))
        (else (call $take_pair)))
      (if (i32.eqz (call $play (local.get $most))) (then (unreachable)))
      (call $result)
      (call $sum_up (local.get $most))
      (call $course)
      (call $count)
      (global.set $row (i32.add (global.get $row) (i32.const %ROW_BYTES%)))
      (global.set $done (i32.add (global.get $done) (i32.const 1)))
      (br $next))))

;; Finish the row of a match: its first three words become the number of decisions, how it has ended,
;; and the winners. A single winner, or one team, who did not lead has taken the lead.
(func $sum_up (param $most i64)
  (call $judge)
  (i64.store (global.get $row) (i64.sub (local.get $most) (i64.load (global.get $row))))
  (i64.store offset=8 (global.get $row) (global.get $how))
  (i64.store offset=16 (global.get $row) (global.get $won))
  (if (call $is_one (global.get $won))
    (then (if (i64.ge_s (i64.load offset=40 (global.get $row)) (i64.const 0))
      (then (if (i64.ne (i64.load offset=40 (global.get $row)) (i64.ctz (global.get $won)))
        (then (i64.store offset=48 (global.get $row) (i64.add (i64.load offset=48 (global.get $row)) (i64.const 1))))))))))

;; The value of the state in the fourth place: random playouts to each mark, in each of several futures, whose values
;; are summed by seat. Two seeds are where those of a batch are; after them the numbers of marks and futures,
;; and each mark as a number of decisions and its weight.
(func (export "ahead")
  (memory.fill (i32.const %TOTALS%) (i32.const 0) (i32.const %TOTAL_BYTES%))
  (global.set $at_key (i32.const %KEYS%))
  (global.set $row (i32.const %ROWS%))
  (call $take_pair)
  (call $futures))

(func $futures
  (local $over i32) (local $mark i32) (local $left i64) (local $futures i64)
  (local.set $futures (i64.load offset=8 (i32.const %MARKS%)))
  (loop $future
    (call $unpack (i32.const %LOADED%))
    (local.set $over (i32.const 0))
    (local.set $mark (i32.const %MARKS%))
    (local.set $left (i64.load (i32.const %MARKS%)))
    (loop $next
      (local.set $mark (i32.add (local.get $mark) (i32.const 16)))
      (if (i32.eqz (local.get $over)) (then (local.set $over (call $play (i64.load (local.get $mark))))))
      (call $result)
      (call $worth (local.get $over) (f64.load offset=8 (local.get $mark)))
      (local.set $left (i64.sub (local.get $left) (i64.const 1)))
      (br_if $next (i64.ne (local.get $left) (i64.const 0))))
    (local.set $futures (i64.sub (local.get $futures) (i64.const 1)))
    (br_if $future (i64.ne (local.get $futures) (i64.const 0)))))

;; The state before the first step of the match with the first seeds.
(func (export "start")
  (global.set $at_key (i32.const %KEYS%))
  (call $unpack (i32.const %FIRST%))
  (call $take_pair))

(func $take_pair
  (global.set $group (i32.const 0))
  (global.set $mode (i32.const %RANDOM%))  ;; a search may have trapped
  (call $take_key (i32.const %CHANCE%))
  (call $take_key (i32.const %ANSWERS%)))

(func $take_key (param $generator i32)
  (local $words i32)
  (local.set $words (i32.load (global.get $at_key)))
  (call $seeded_by (local.get $generator) (i32.add (global.get $at_key) (i32.const 4)) (local.get $words))
  (global.set $at_key (i32.add (global.get $at_key) (i32.add (i32.const 4) (i32.shl (local.get $words) (i32.const 2))))))

;; The row of a match: remaining decisions of chance, how it has ended by the rules or -1, the winners by the rules and
;; those with the greatest key, as bits; rounds, who leads, changes of lead; points by line and in total; keys.
(func $result (export "result")
  (local $winners i32) (local $at i32) (local $mask i64)
  (i64.store (global.get $row) (i64.load (i32.const %CHANCES%)))
  (i64.store offset=8 (global.get $row) (i64.load (i32.const %ENDING%)))
  (local.set $winners (i32.load (i32.const %WINNERS%)))
  (block $none
    (loop $next
      (br_if $none (i32.ge_u (local.get $at) (i32.load (local.get $winners))))
      (local.set $mask (i64.or (local.get $mask)
        (i64.shl (i64.const 1) (i64.load (call $words (local.get $winners) (local.get $at))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next)))
  (i64.store offset=16 (global.get $row) (local.get $mask))
  (i64.store offset=32 (global.get $row) (i64.load (i32.const %ROUNDS%)))
  (i64.store offset=40 (global.get $row) (i64.load (i32.const %LEADER%)))
  (i64.store offset=48 (global.get $row) (i64.load (i32.const %LEAD_CHANGES%)))
  (call $finish))
