;; Options offered and taken, by seat and item: noted while a match is played, and added up at its end. A cell of a match has in its
;; lower half how often something was offered, in its upper half how often it was taken.

(func $clear
  (memory.fill (i32.const %CELLS%) (i32.const 0) (i32.const %CELL_BYTES%))
  (memory.fill (i32.const %PUT%) (i32.const 0) (i32.const %PUT_BYTES%)))

;; The table of sites: where its items begin, the item of passing or -1, the answer that passes, whether it is a race, and
;; whether all its numbers are one item.
(func $site (param $site i64) (result i32)
  (i32.add (i32.const %SITES%) (i32.mul (i32.wrap_i64 (local.get $site)) (i32.const 40))))

;; Note a value, or passing, as offered or taken.
(func $note_value (param $site i32) (param $seat i64) (param $value i64) (param $how i64)
  (if (i64.ne (i64.load offset=24 (local.get $site)) (i64.const 0)) (then (local.set $seat (local.get $value))))
  (if (i64.ne (i64.load offset=32 (local.get $site)) (i64.const 0)) (then (local.set $value (i64.const 0))))
  (call $note_item (local.get $seat) (i64.load (call $words (i32.const %ITEMS%)
    (i32.wrap_i64 (i64.add (i64.load (local.get $site)) (local.get $value))))) (local.get $how)))

(func $note_passing (param $site i32) (param $seat i64) (param $how i64)
  (if (i64.ge_s (i64.load offset=8 (local.get $site)) (i64.const 0))
    (then (call $note_item (local.get $seat) (i64.load offset=8 (local.get $site)) (local.get $how)))))

(func $note_item (param $seat i64) (param $item i64) (param $how i64)
  (local $at i32)
  (local.set $at (i32.shl (i32.wrap_i64 (i64.add (i64.mul (local.get $seat) (i64.const %WIDTH%)) (local.get $item))) (i32.const 3)))
  (if (i32.ge_u (local.get $at) (i32.const %CELL_BYTES%)) (then (unreachable)))
  (i64.store offset=%CELLS% (local.get $at) (i64.add (i64.load offset=%CELLS% (local.get $at)) (local.get $how))))

(func $note_list (param $site i32) (param $seat i64) (param $list i32) (param $how i64)
  (local $at i32) (local $end i32)
  (local.set $at (local.get $list))
  (local.set $end (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (call $note_value (local.get $site) (local.get $seat) (i64.load offset=8 (local.get $at)) (local.get $how))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next))))

;; A question with one answer. Nearly all notes are made here, so `note_value` and `note_passing` are inlined.
(func $note (param $site i64) (param $asker i64) (param $options i32) (param $taken i64)
  (local $of i32) (local $end i32) (local $items i32) (local $row i32) (local $cell i32)
  (local.set $of (call $site (local.get $site)))
  (local.set $row (i32.mul (i32.wrap_i64 (local.get $asker)) (i32.const %WIDTH_BYTES%)))
  (if (i32.gt_u (local.get $row) (i32.const %LAST_ROW%)) (then (unreachable)))
  (if (i32.or (i32.load offset=24 (local.get $of)) (i32.load offset=32 (local.get $of)))
    (then (call $note_slowly (local.get $of) (local.get $asker) (local.get $options) (local.get $taken)) (return)))
  (local.set $items (call $words (i32.const %ITEMS%) (i32.load (local.get $of))))
  (local.set $end (i32.add (local.get $options) (i32.shl (i32.load (local.get $options)) (i32.const 3))))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $options) (local.get $end)))
      (local.set $cell (i32.add (local.get $row) (i32.shl
        (i32.load (i32.add (local.get $items) (i32.shl (i32.load offset=8 (local.get $options)) (i32.const 3)))) (i32.const 3))))
      (i64.store offset=%CELLS% (local.get $cell) (i64.add (i64.load offset=%CELLS% (local.get $cell)) (i64.const 1)))
      (local.set $options (i32.add (local.get $options) (i32.const 8)))
      (br $next)))
  (local.set $cell (i32.add (local.get $row) (i32.shl
    (i32.load (i32.add (local.get $items) (i32.shl (i32.wrap_i64 (local.get $taken)) (i32.const 3)))) (i32.const 3))))
  (if (i32.ge_s (i32.load offset=8 (local.get $of)) (i32.const 0))
    (then
      (local.set $end (i32.add (local.get $row) (i32.shl (i32.load offset=8 (local.get $of)) (i32.const 3))))
      (i64.store offset=%CELLS% (local.get $end) (i64.add (i64.load offset=%CELLS% (local.get $end)) (i64.const 1)))
      (if (i64.eq (i64.load offset=16 (local.get $of)) (local.get $taken)) (then (local.set $cell (local.get $end))))))
  (i64.store offset=%CELLS% (local.get $cell) (i64.add (i64.load offset=%CELLS% (local.get $cell)) (i64.const %TAKEN%))))

;; A question with constant options: what was taken, and how often it was put, from which `spread` computes what was offered.
(func $note_fixed (param $site i64) (param $asker i64) (param $taken i64)
  (local $of i32) (local $at i32)
  (local.set $at (i32.shl (i32.wrap_i64 (i64.add (i64.mul (local.get $asker) (i64.const %SITE_COUNT%)) (local.get $site))) (i32.const 3)))
  (if (i32.ge_u (local.get $at) (i32.const %PUT_BYTES%)) (then (unreachable)))
  (i64.store offset=%PUT% (local.get $at) (i64.add (i64.load offset=%PUT% (local.get $at)) (i64.const 1)))
  (local.set $of (i32.add (i32.const %SITES%) (i32.mul (i32.wrap_i64 (local.get $site)) (i32.const 40))))
  (if (i32.load offset=32 (local.get $of)) (then (local.set $taken (i64.const 0))))
  (local.set $at (i32.load offset=8 (i32.add (i32.const %ITEMS%)
    (i32.shl (i32.wrap_i64 (i64.add (i64.load (local.get $of)) (local.get $taken))) (i32.const 3)))))
  (local.set $at (i32.shl (i32.add (i32.mul (i32.wrap_i64 (local.get $asker)) (i32.const %WIDTH%)) (local.get $at)) (i32.const 3)))
  (if (i32.ge_u (local.get $at) (i32.const %CELL_BYTES%)) (then (unreachable)))
  (i64.store offset=%CELLS% (local.get $at) (i64.add (i64.load offset=%CELLS% (local.get $at)) (i64.const %TAKEN%))))

;; Add what such questions have offered to the cells of a seat: a list has each site, its number of items, and each item with
;; its frequency.
(func $spread (param $seat i64) (param $cells i32)
  (local $at i32) (local $end i32) (local $items i32) (local $put i32) (local $cell i32)
  (local.set $at (i32.add (i32.const %ALWAYS%) (i32.const 8)))
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.load (i32.const %ALWAYS%)) (i32.const 3))))
  (block $done
    (loop $sites
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $put (i32.shl (i32.add (i32.mul (i32.wrap_i64 (local.get $seat)) (i32.const %SITE_COUNT%)) (i32.load (local.get $at)))
        (i32.const 3)))
      (local.set $items (i32.add (i32.add (local.get $at) (i32.const 16)) (i32.shl (i32.load offset=8 (local.get $at)) (i32.const 4))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (if (i64.eqz (i64.load offset=%PUT% (local.get $put))) (then (local.set $at (local.get $items)) (br $sites)))
      (loop $next
        (local.set $cell (i32.add (local.get $cells) (i32.shl (i32.load (local.get $at)) (i32.const 3))))
        (i64.store (local.get $cell) (i64.add (i64.load (local.get $cell))
          (i64.mul (i64.load offset=%PUT% (local.get $put)) (i64.load offset=8 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $next (i32.lt_u (local.get $at) (local.get $items))))
      (i64.store offset=%PUT% (local.get $put) (i64.const 0))
      (br $sites))))

;; A question with one answer where all numbers are one item.
(func $note_slowly (param $of i32) (param $asker i64) (param $options i32) (param $taken i64)
  (call $note_list (local.get $of) (local.get $asker) (local.get $options) (i64.const 1))
  (call $note_passing (local.get $of) (local.get $asker) (i64.const 1))
  (if (i32.and (i64.ge_s (i64.load offset=8 (local.get $of)) (i64.const 0))
      (i64.eq (i64.load offset=16 (local.get $of)) (local.get $taken)))
    (then (call $note_passing (local.get $of) (local.get $asker) (i64.const %TAKEN%)))
    (else (call $note_value (local.get $of) (local.get $asker) (local.get $taken) (i64.const %TAKEN%)))))

;; A question with several answers, or a race, whose options are those who may join.
(func $note_several (param $site i64) (param $asker i64) (param $options i32) (param $taken i32)
  (local $of i32)
  (local.set $of (call $site (local.get $site)))
  (if (i64.ne (i64.load offset=24 (local.get $of)) (i64.const 0)) (then (local.set $asker (i64.const 0))))
  (call $note_list (local.get $of) (local.get $asker) (local.get $options) (i64.const 1))
  (call $note_passing (local.get $of) (local.get $asker) (i64.const 1))
  (if (i32.eqz (i32.load (local.get $taken)))
    (then (call $note_passing (local.get $of) (local.get $asker) (i64.const %TAKEN%))))
  (call $note_list (local.get $of) (local.get $asker) (local.get $taken) (i64.const %TAKEN%)))

;; Add up the cells of a finished match, six numbers each, as in `study.offers`, and clear them.
(func $count
  (local $cell i32) (local $to i32) (local $seat i64) (local $end i32) (local $credit i64) (local $had i64)
  (loop $seats
    (local.set $cell (i32.mul (i32.wrap_i64 (local.get $seat)) (i32.const %WIDTH_BYTES%)))
    (local.set $to (i32.add (i32.const %COUNTS%) (i32.mul (local.get $cell) (i32.const 6))))
    (local.set $credit (i64.const 0))
    (if (i64.ne (i64.and (i64.shr_u (global.get $won) (local.get $seat)) (i64.const 1)) (i64.const 0))
      (then (local.set $credit (i64.div_u (i64.const %WHOLE%)
        (select (i64.const 1) (i64.popcnt (global.get $won)) (i32.eq (global.get $one) (i32.const 1)))))))
    (call $spread (local.get $seat) (i32.add (i32.const %CELLS%) (local.get $cell)))
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
