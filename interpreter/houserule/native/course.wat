;; The course of a match: who leads at the beginning of each round, how many questions are put, and who decides nothing in a
;; round. `study.course` notes the same of matches in Python.

(func $clear_course
  (memory.fill (i32.const %TALLIES%) (i32.const 0) (i32.const %TALLY_BYTES%))
  (memory.fill (i32.const %DECIDED%) (i32.const 0) (i32.const %DECIDED_BYTES%)))

;; Look who leads at the beginning of a round, as long as there is work left for it.
(func $look
  (if (i64.gt_s (i64.load (i32.const %LOOKS%)) (i64.const 0)) (then (call $look_who_leads)))
  (call $note_leader))

;; Note who leads at the beginning of a round, and who has decided nothing in the one before.
(func $note_leader
  (local $round i64)
  (local.set $round (i64.load (i32.const %ROUNDS%)))
  (if (i64.ge_s (local.get $round) (i64.const %MOST_ROUNDS%)) (then (unreachable)))
  (i64.store8 offset=%LEADERS% (i32.wrap_i64 (local.get $round)) (i64.load (i32.const %LEADER%)))
  (if (i64.gt_s (local.get $round) (i64.const 1)) (then (call $end_round)))
  (memory.fill (i32.const %DECIDED%) (i32.const 0) (i32.const %DECIDED_BYTES%)))

(func $end_round
  (local $seat i32)
  (loop $next
    (i64.store (i32.const %IDLE%) (i64.add (i64.load (i32.const %IDLE%))
      (i64.extend_i32_u (i64.eqz (i64.load offset=%DECIDED% (local.get $seat))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 8)))
    (br_if $next (i32.lt_u (local.get $seat) (i32.const %DECIDED_BYTES%)))))

;; Finish the row of a match with the words of its course.
(func $course
  (local $station i64) (local $rounds i64) (local $leaders i64)
  (local.set $rounds (i64.load offset=32 (global.get $row)))
  (i64.store offset=%COURSE% (global.get $row)
    (if (result i64) (i32.and (i64.gt_s (local.get $rounds) (i64.const 0)) (i64.eq (global.get $how) (i64.const %WIN%)))
      (then (select (i64.load (i32.const %LED_SINCE%)) (i64.add (local.get $rounds) (i64.const 1))
        (i64.eq (i64.load (i32.const %LEADER%)) (i64.ctz (global.get $won)))))
      (else (i64.const -1))))
  (if (i64.gt_s (local.get $rounds) (i64.const 0)) (then
    (call $end_round)
    (local.set $station (i64.const %STATIONS%))
    (loop $next
      (local.set $station (i64.sub (local.get $station) (i64.const 1)))
      (local.set $leaders (i64.or (i64.shl (local.get $leaders) (i64.const %LEADER_BITS%))
        (i64.add (i64.const 1) (i64.load8_s offset=%LEADERS% (i32.wrap_i64 (i64.add (i64.const 1)
          (i64.div_u (i64.mul (local.get $station) (local.get $rounds)) (i64.const %STATIONS%))))))))
      (br_if $next (i64.gt_u (local.get $station) (i64.const 1))))))
  (memory.copy (i32.add (global.get $row) (i32.const %AFTER_COURSE%)) (i32.const %TALLIES%) (i32.const %TALLY_BYTES%))
  (i64.store offset=%COURSE_LEADERS% (global.get $row) (local.get $leaders))
  (call $clear_course))
