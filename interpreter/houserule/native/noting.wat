;; Options offered and taken, by seat and item: counted while a match is played (`stand_ins.note`), and added up at its end. A
;; cell of a match has in its lower half how often something was offered, in its upper half how often it was taken.

(func $clear_cells
  (memory.fill (i32.const %CELLS%) (i32.const 0) (i32.const %CELL_BYTES%)))

;; Add up the cells of a finished match, six numbers each, as in `study.offers`, and clear them.
(func $count
  (local $cell i32) (local $to i32) (local $seat i64) (local $end i32) (local $credit i64) (local $had i64)
  (loop $seats
    (local.set $cell (i32.mul (i32.wrap_i64 (local.get $seat)) (i32.const %WIDTH_BYTES%)))
    (local.set $to (i32.add (i32.const %COUNTS%) (i32.mul (local.get $cell) (i32.const 6))))
    (local.set $credit (i64.const 0))
    (if (i64.ne (i64.and (i64.shr_u (global.get $won) (local.get $seat)) (i64.const 1)) (i64.const 0))
      (then (local.set $credit (i64.div_u (i64.const %WHOLE%)
        (select (i64.const 1) (call $sides (global.get $won)) (i32.eq (global.get $one) (i32.const 1)))))))
    (local.set $end (i32.add (local.get $cell) (i32.const %WIDTH_BYTES%)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $cell) (local.get $end)))
        ;; Most cells are empty: four of them are skipped at once. What is after the last row is only read.
        (if (i64.eqz (i64.or
            (i64.or (i64.load offset=%CELLS% (local.get $cell)) (i64.load offset=%CELLS_1% (local.get $cell)))
            (i64.or (i64.load offset=%CELLS_2% (local.get $cell)) (i64.load offset=%CELLS_3% (local.get $cell)))))
          (then
            (local.set $cell (i32.add (local.get $cell) (i32.const 32)))
            (local.set $to (i32.add (local.get $to) (i32.const 192)))
            (br $next)))
        (local.set $had (i64.load offset=%CELLS% (local.get $cell)))
        (if (i64.ne (local.get $had) (i64.const 0))
          (then
            (i64.store offset=%CELLS% (local.get $cell) (i64.const 0))
            (i64.store (local.get $to) (i64.add (i64.load (local.get $to)) (i64.and (local.get $had) (i64.const 4294967295))))
            (i64.store offset=16 (local.get $to) (i64.add (i64.load offset=16 (local.get $to)) (i64.const 1)))
            (local.set $had (i64.shr_u (local.get $had) (i64.const 32)))
            (if (i64.eqz (local.get $had))
              (then (i64.store offset=40 (local.get $to) (i64.add (i64.load offset=40 (local.get $to)) (local.get $credit))))
              (else
                (i64.store offset=8 (local.get $to) (i64.add (i64.load offset=8 (local.get $to)) (local.get $had)))
                (i64.store offset=24 (local.get $to) (i64.add (i64.load offset=24 (local.get $to)) (i64.const 1)))
                (i64.store offset=32 (local.get $to) (i64.add (i64.load offset=32 (local.get $to)) (local.get $credit)))))))
        (local.set $cell (i32.add (local.get $cell) (i32.const 8)))
        (local.set $to (i32.add (local.get $to) (i32.const 48)))
        (br $next)))
    (local.set $seat (i64.add (local.get $seat) (i64.const 1)))
    (br_if $seats (i64.lt_u (local.get $seat) (i64.const %PLAYERS%)))))
