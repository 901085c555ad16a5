;; The runtime of translated rules: lists in an arena, sorting, dictionaries as rows, and Python's random numbers.
;;
;; A list is its length and its capacity in words, 32 bits each, and then its words, 64 bits each. Lists of tuples are
;; flat: a fixed number of words per row. A list in a frame or the state is its address with the bit $LIST set.

(global $top (mut i32) (i32.const %ARENA%))
(global $end (mut i32) (i32.const %END%))

;; Allocate an empty list in the arena.
(func $new (param $room i32) (result i32)
  (local $at i32)
  (local.set $at (global.get $top))
  (global.set $top (i32.add (local.get $at) (i32.add (i32.const 8) (i32.shl (local.get $room) (i32.const 3)))))
  (if (i32.ge_u (local.get $room) (i32.const 4000000)) (then (unreachable)))
  (if (i32.gt_u (global.get $top) (global.get $end)) (then (call $grow)))
  (i32.store (local.get $at) (i32.const 0))
  (i32.store offset=4 (local.get $at) (local.get $room))
  (local.get $at))

;; More memory for the arena; a match that needs more than the module may have traps.
(func $grow
  (local $pages i32)
  (local.set $pages (i32.add (i32.shr_u (i32.sub (global.get $top) (global.get $end)) (i32.const 16)) (i32.const 16)))
  (if (i32.eq (memory.grow (local.get $pages)) (i32.const -1)) (then (unreachable)))
  (global.set $end (i32.add (global.get $end) (i32.shl (local.get $pages) (i32.const 16)))))

(func $words (param $list i32) (param $from i32) (result i32)
  (i32.add (i32.add (local.get $list) (i32.const 8)) (i32.shl (local.get $from) (i32.const 3))))

;; The same list with capacity for more words; it may have another address.
(func $room_for (param $list i32) (param $more i32) (result i32)
  (local $length i32) (local $room i32) (local $made i32)
  (local.set $length (i32.add (i32.load (local.get $list)) (local.get $more)))
  (local.set $room (i32.load offset=4 (local.get $list)))
  (if (i32.le_u (local.get $length) (local.get $room)) (then (return (local.get $list))))
  (local.set $made (call $new (i32.add (i32.shl (local.get $length) (i32.const 1)) (i32.const 6))))
  (i32.store (local.get $made) (i32.load (local.get $list)))
  (memory.copy (call $words (local.get $made) (i32.const 0)) (call $words (local.get $list) (i32.const 0))
    (i32.shl (i32.load (local.get $list)) (i32.const 3)))
  (local.get $made))

;; Append a word. A zone has a fixed address and capacity.
(func $push (param $list i32) (param $word i64) (result i32)
  (local $length i32)
  (local.set $length (i32.load (local.get $list)))
  (if (i32.ge_u (local.get $length) (i32.load offset=4 (local.get $list)))
    (then (local.set $list (call $room_for (local.get $list) (i32.const 1)))))
  (i64.store offset=8 (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 3))) (local.get $word))
  (i32.store (local.get $list) (i32.add (local.get $length) (i32.const 1)))
  (local.get $list))

(func $put (param $list i32) (param $word i64)
  (local $length i32)
  (local.set $length (i32.load (local.get $list)))
  (if (i32.ge_u (local.get $length) (i32.load offset=4 (local.get $list))) (then (unreachable)))
  (i64.store offset=8 (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 3))) (local.get $word))
  (i32.store (local.get $list) (i32.add (local.get $length) (i32.const 1))))

(func $pop (param $list i32) (result i64)
  (local $length i32)
  (local.set $length (i32.sub (i32.load (local.get $list)) (i32.const 1)))
  (if (i32.lt_s (local.get $length) (i32.const 0)) (then (unreachable)))
  (i32.store (local.get $list) (local.get $length))
  (i64.load offset=8 (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 3)))))

;; Remove a range of words.
(func $cut (param $list i32) (param $from i32) (param $to i32)
  (local $length i32)
  (local.set $length (i32.load (local.get $list)))
  (if (i32.gt_u (local.get $to) (local.get $length)) (then (unreachable)))
  (call $move (i32.add (local.get $list) (i32.shl (local.get $from) (i32.const 3)))
    (i32.add (local.get $list) (i32.shl (local.get $to) (i32.const 3))) (i32.sub (local.get $length) (local.get $to)))
  (i32.store (local.get $list) (i32.sub (local.get $length) (i32.sub (local.get $to) (local.get $from)))))

;; Copy words from one list head to another, forwards; a loop if they are few, which is quicker.
(func $move (param $to i32) (param $from i32) (param $words i32)
  (if (i32.gt_u (local.get $words) (i32.const 16))
    (then
      (memory.copy (i32.add (local.get $to) (i32.const 8)) (i32.add (local.get $from) (i32.const 8))
        (i32.shl (local.get $words) (i32.const 3)))
      (return)))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (local.get $words)))
      (i64.store offset=8 (local.get $to) (i64.load offset=8 (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (local.set $words (i32.sub (local.get $words) (i32.const 1)))
      (br $next))))

;; The index of a word, or -1.
(func $index (param $list i32) (param $word i64) (result i32)
  (local $at i32) (local $stop i32)
  (local.set $at (local.get $list))
  (local.set $stop (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
  (block $none
    (loop $next
      (br_if $none (i32.ge_u (local.get $at) (local.get $stop)))
      (if (i64.eq (i64.load offset=8 (local.get $at)) (local.get $word))
        (then (return (i32.shr_u (i32.sub (local.get $at) (local.get $list)) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next)))
  (i32.const -1))

;; Remove a word that a list has once. In a short list all words are copied, the one that goes too, and only others advance the
;; end: no branch depends on where it is, which could not be foreseen.
(func $remove (param $list i32) (param $word i64)
  (local $at i32) (local $to i32) (local $stop i32) (local $other i64)
  (local.set $stop (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
  (if (i32.gt_u (i32.load (local.get $list)) (i32.const 20))
    (then (call $remove_far (local.get $list) (local.get $word)))
    (else
      (local.set $at (local.get $list))
      (local.set $to (local.get $list))
      (block $done
        (loop $next
          (br_if $done (i32.ge_u (local.get $at) (local.get $stop)))
          (local.set $other (i64.load offset=8 (local.get $at)))
          (i64.store offset=8 (local.get $to) (local.get $other))
          (local.set $to (i32.add (local.get $to) (i32.shl (i64.ne (local.get $other) (local.get $word)) (i32.const 3))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $next)))
      (if (i32.eq (local.get $to) (local.get $stop)) (then (unreachable)))
      (i32.store (local.get $list) (i32.sub (i32.load (local.get $list)) (i32.const 1))))))

;; The same in a long list.
(func $remove_far (param $list i32) (param $word i64)
  (local $at i32)
  (local.set $at (call $index (local.get $list) (local.get $word)))
  (if (i32.lt_s (local.get $at) (i32.const 0)) (then (unreachable)))
  (call $cut (local.get $list) (local.get $at) (i32.add (local.get $at) (i32.const 1))))

(func $insert (param $list i32) (param $place i64) (param $word i64)
  (local $length i32) (local $at i32)
  (local.set $length (i32.load (local.get $list)))
  (if (i32.ge_u (local.get $length) (i32.load offset=4 (local.get $list))) (then (unreachable)))
  (if (i64.lt_s (local.get $place) (i64.const 0))
    (then
      (local.set $place (i64.add (local.get $place) (i64.extend_i32_u (local.get $length))))
      (if (i64.lt_s (local.get $place) (i64.const 0)) (then (local.set $place (i64.const 0))))))
  (local.set $at (if (result i32) (i64.gt_s (local.get $place) (i64.extend_i32_u (local.get $length)))
    (then (local.get $length)) (else (i32.wrap_i64 (local.get $place)))))
  (memory.copy (call $words (local.get $list) (i32.add (local.get $at) (i32.const 1)))
    (call $words (local.get $list) (local.get $at))
    (i32.shl (i32.sub (local.get $length) (local.get $at)) (i32.const 3)))
  (i64.store (call $words (local.get $list) (local.get $at)) (local.get $word))
  (i32.store (local.get $list) (i32.add (local.get $length) (i32.const 1))))

;; A copy of a slice, with its ends clamped as in Python; the ends count words from the beginning.
(func $slice (param $list i32) (param $from i64) (param $to i64) (result i32)
  (local $length i64) (local $made i32) (local $size i32)
  (local.set $length (i64.extend_i32_u (i32.load (local.get $list))))
  (local.set $from (call $inside (local.get $from) (local.get $length)))
  (local.set $to (call $inside (local.get $to) (local.get $length)))
  (if (i64.lt_s (local.get $to) (local.get $from)) (then (local.set $to (local.get $from))))
  (local.set $size (i32.wrap_i64 (i64.sub (local.get $to) (local.get $from))))
  (local.set $made (call $new (local.get $size)))
  (i32.store (local.get $made) (local.get $size))
  (call $move (local.get $made)
    (i32.add (local.get $list) (i32.shl (i32.wrap_i64 (local.get $from)) (i32.const 3))) (local.get $size))
  (local.get $made))

(func $inside (param $place i64) (param $length i64) (result i64)
  (if (i64.lt_s (local.get $place) (i64.const 0))
    (then (local.set $place (i64.add (local.get $place) (local.get $length)))))
  (if (i64.lt_s (local.get $place) (i64.const 0)) (then (return (i64.const 0))))
  (if (i64.gt_s (local.get $place) (local.get $length)) (then (return (local.get $length))))
  (local.get $place))

(func $copied (param $list i32) (result i32)
  (local $made i32)
  (local.set $made (call $new (i32.load (local.get $list))))
  (i32.store (local.get $made) (i32.load (local.get $list)))
  (call $move (local.get $made) (local.get $list) (i32.load (local.get $list)))
  (local.get $made))

;; More capacity while a list is filled: a copy up to $at, with twice the capacity.
(func $more (param $list i32) (param $at i32) (result i32)
  (i32.store (local.get $list) (i32.shr_u (i32.sub (local.get $at) (local.get $list)) (i32.const 3)))
  (call $room_for (local.get $list) (i32.add (i32.load offset=4 (local.get $list)) (i32.const 8))))

(func $reversed (param $list i32) (result i32)
  (local $made i32) (local $at i32)
  (local.set $at (i32.load (local.get $list)))
  (local.set $made (call $new (local.get $at)))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (local.get $at)))
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (call $put (local.get $made) (i64.load (call $words (local.get $list) (local.get $at))))
      (br $next)))
  (local.get $made))

;; Append the words of one list to another, which has the capacity.
(func $append (param $list i32) (param $more i32)
  (local $length i32) (local $size i32)
  (local.set $length (i32.load (local.get $list)))
  (local.set $size (i32.load (local.get $more)))
  (if (i32.gt_u (i32.add (local.get $length) (local.get $size)) (i32.load offset=4 (local.get $list))) (then (unreachable)))
  (call $move (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 3))) (local.get $more) (local.get $size))
  (i32.store (local.get $list) (i32.add (local.get $length) (local.get $size))))

(func $extend (param $list i32) (param $more i32) (result i32)
  (local.set $list (call $room_for (local.get $list) (i32.load (local.get $more))))
  (call $append (local.get $list) (local.get $more))
  (local.get $list))

;; Replace the content of one list by that of another.
(func $fill (param $list i32) (param $from i32)
  (if (i32.eq (local.get $list) (local.get $from)) (then (return)))
  (i32.store (local.get $list) (i32.const 0))
  (call $append (local.get $list) (local.get $from)))

(func $same (param $a i32) (param $b i32) (result i32)
  (local $at i32)
  (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 0))))
  (local.set $at (i32.load (local.get $a)))
  (block $done
    (loop $next
      (br_if $done (i32.eqz (local.get $at)))
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (if (i64.ne (i64.load (call $words (local.get $a) (local.get $at))) (i64.load (call $words (local.get $b) (local.get $at))))
        (then (return (i32.const 0))))
      (br $next)))
  (i32.const 1))

;; Whether a row is greater than another by its first words.
(func $after (param $a i32) (param $b i32) (param $keys i32) (result i32)
  (local $x i64) (local $y i64)
  (loop $next
    (if (i32.eqz (local.get $keys)) (then (return (i32.const 0))))
    (local.set $x (i64.load (local.get $a)))
    (local.set $y (i64.load (local.get $b)))
    (if (i64.gt_s (local.get $x) (local.get $y)) (then (return (i32.const 1))))
    (if (i64.lt_s (local.get $x) (local.get $y)) (then (return (i32.const 0))))
    (local.set $a (i32.add (local.get $a) (i32.const 8)))
    (local.set $b (i32.add (local.get $b) (i32.const 8)))
    (local.set $keys (i32.sub (local.get $keys) (i32.const 1)))
    (br $next))
  (unreachable))

;; Sort rows by their first words, in place and stably: by insertion, or by merging if there are many.
(func $sort (param $list i32) (param $width i32) (param $keys i32)
  (local $rows i32)
  (local.set $rows (i32.div_u (i32.load (local.get $list)) (local.get $width)))
  (if (i32.gt_u (local.get $rows) (i32.const 1))
    (then (call $sort_rows (call $words (local.get $list) (i32.const 0)) (local.get $rows)
      (i32.shl (local.get $width) (i32.const 3)) (local.get $keys)))))

(func $sort_rows (param $at i32) (param $rows i32) (param $size i32) (param $keys i32)
  (local $half i32) (local $row i32) (local $to i32) (local $stop i32) (local $held i32) (local $other i32)
  (local.set $stop (i32.add (local.get $at) (i32.mul (local.get $rows) (local.get $size))))
  (local.set $held (call $words (call $new (i32.shr_u (select (local.get $size)
      (i32.mul (local.get $rows) (local.get $size)) (i32.le_u (local.get $rows) (i32.const 24))) (i32.const 3))) (i32.const 0)))
  (if (i32.le_u (local.get $rows) (i32.const 24))
    (then
      (local.set $row (i32.add (local.get $at) (local.get $size)))
      (block $done
        (loop $next
          (br_if $done (i32.ge_u (local.get $row) (local.get $stop)))
          (local.set $to (local.get $row))
          (block $found
            (loop $down
              (br_if $found (i32.le_u (local.get $to) (local.get $at)))
              (br_if $found (i32.eqz (call $after (i32.sub (local.get $to) (local.get $size)) (local.get $row) (local.get $keys))))
              (local.set $to (i32.sub (local.get $to) (local.get $size)))
              (br $down)))
          (if (i32.lt_u (local.get $to) (local.get $row))
            (then
              (memory.copy (local.get $held) (local.get $row) (local.get $size))
              (memory.copy (i32.add (local.get $to) (local.get $size)) (local.get $to) (i32.sub (local.get $row) (local.get $to)))
              (memory.copy (local.get $to) (local.get $held) (local.get $size))))
          (local.set $row (i32.add (local.get $row) (local.get $size)))
          (br $next)))
      (return)))
  (local.set $half (i32.shr_u (local.get $rows) (i32.const 1)))
  (call $sort_rows (local.get $at) (local.get $half) (local.get $size) (local.get $keys))
  (local.set $other (i32.add (local.get $at) (i32.mul (local.get $half) (local.get $size))))
  (call $sort_rows (local.get $other) (i32.sub (local.get $rows) (local.get $half)) (local.get $size) (local.get $keys))
  ;; Merge the first half, which was set aside, with the second.
  (memory.copy (local.get $held) (local.get $at) (i32.sub (local.get $other) (local.get $at)))
  (local.set $row (i32.add (local.get $held) (i32.sub (local.get $other) (local.get $at))))
  (local.set $to (local.get $at))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $held) (local.get $row)))
      (if (if (result i32) (i32.lt_u (local.get $other) (local.get $stop))
            (then (call $after (local.get $held) (local.get $other) (local.get $keys))) (else (i32.const 0)))
        (then
          (memory.copy (local.get $to) (local.get $other) (local.get $size))
          (local.set $other (i32.add (local.get $other) (local.get $size))))
        (else
          (memory.copy (local.get $to) (local.get $held) (local.get $size))
          (local.set $held (i32.add (local.get $held) (local.get $size)))))
      (local.set $to (i32.add (local.get $to) (local.get $size)))
      (br $next))))

;; Dictionaries: rows of a key and a value. The last row of a list, just appended, replaces the value of an earlier one with
;; the same key. $listed says that keys are lists, which are compared by content.
(func $settle (param $rows i32) (param $width i32) (param $keys i32) (param $listed i32)
  (local $at i32) (local $last i32) (local $key i32)
  (local.set $at (call $words (local.get $rows) (i32.const 0)))
  (local.set $last (call $words (local.get $rows) (i32.sub (i32.load (local.get $rows)) (local.get $width))))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $last)))
      (block $differs
        (local.set $key (i32.const 0))
        (loop $words_of_key
          (if (i32.lt_u (local.get $key) (local.get $keys))
            (then
              (if (local.get $listed)
                (then (br_if $differs (i32.eqz (call $same (i32.load (local.get $at)) (i32.load (local.get $last))))))
                (else (br_if $differs (i64.ne
                  (i64.load (i32.add (local.get $at) (i32.shl (local.get $key) (i32.const 3))))
                  (i64.load (i32.add (local.get $last) (i32.shl (local.get $key) (i32.const 3))))))))
              (local.set $key (i32.add (local.get $key) (i32.const 1)))
              (br $words_of_key))))
        (memory.copy (i32.add (local.get $at) (i32.shl (local.get $keys) (i32.const 3)))
          (i32.add (local.get $last) (i32.shl (local.get $keys) (i32.const 3)))
          (i32.shl (i32.sub (local.get $width) (local.get $keys)) (i32.const 3)))
        (i32.store (local.get $rows) (i32.sub (i32.load (local.get $rows)) (local.get $width)))
        (return))
      (local.set $at (i32.add (local.get $at) (i32.shl (local.get $width) (i32.const 3))))
      (br $next))))

;; The same for rows of one word for the key and one for the value.
(func $settle_pair (param $rows i32)
  (local $at i32) (local $last i32) (local $key i64)
  (local.set $at (local.get $rows))
  (local.set $last (i32.add (local.get $rows) (i32.shl (i32.sub (i32.load (local.get $rows)) (i32.const 2)) (i32.const 3))))
  (local.set $key (i64.load offset=8 (local.get $last)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $last)))
      (if (i64.eq (i64.load offset=8 (local.get $at)) (local.get $key))
        (then
          (i64.store offset=16 (local.get $at) (i64.load offset=16 (local.get $last)))
          (i32.store (local.get $rows) (i32.sub (i32.load (local.get $rows)) (i32.const 2)))
          (return)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))))

;; The distinct words of a list, in order of first appearance.
(func $distinct (param $list i32) (result i32)
  (local $made i32) (local $at i32) (local $stop i32) (local $word i64)
  (local.set $made (call $new (i32.load (local.get $list))))
  (local.set $at (local.get $list))
  (local.set $stop (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $stop)))
      (local.set $word (i64.load offset=8 (local.get $at)))
      (if (i32.lt_s (call $index (local.get $made) (local.get $word)) (i32.const 0))
        (then (call $put (local.get $made) (local.get $word))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next)))
  (local.get $made))

;; Integer division as in Python: a quotient is rounded down, and a remainder has the sign of the divisor.
(func $divide (param $a i64) (param $b i64) (result i64)
  (local $q i64)
  (local.set $q (i64.div_s (local.get $a) (local.get $b)))
  (if (i32.and (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))
        (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a)))
    (then (return (i64.sub (local.get $q) (i64.const 1)))))
  (local.get $q))

(func $modulo (param $a i64) (param $b i64) (result i64)
  (i64.sub (local.get $a) (i64.mul (call $divide (local.get $a) (local.get $b)) (local.get $b))))

;; A product that is too large for a word of a list traps.
(func $product (param $a i64) (param $b i64) (result i64)
  (if (i64.gt_u (i64.add (local.get $a) (i64.const 2147483649)) (i64.const 4294967297))
    (then (if (i64.gt_u (i64.add (local.get $b) (i64.const 2147483649)) (i64.const 4294967297)) (then (unreachable)))
      (if (i64.gt_u (i64.add (local.get $a) (i64.const 1099511627776)) (i64.const 2199023255552)) (then (unreachable)))
      (if (i64.gt_u (i64.add (local.get $b) (i64.const 1048576)) (i64.const 2097152)) (then (unreachable))))
    (else (if (i64.gt_u (i64.add (local.get $b) (i64.const 2147483649)) (i64.const 4294967297))
      (then
        (if (i64.gt_u (i64.add (local.get $b) (i64.const 1099511627776)) (i64.const 2199023255552)) (then (unreachable)))
        (if (i64.gt_u (i64.add (local.get $a) (i64.const 1048576)) (i64.const 2097152)) (then (unreachable)))))))
  (i64.mul (local.get $a) (local.get $b)))

;; A number that traps where it has more than 40 bits.
(func $bounded (param $a i64) (result i64)
  (if (i64.ge_u (i64.add (local.get $a) (i64.const 1099511627775)) (i64.const 2199023255551)) (then (unreachable)))
  (local.get $a))

;; The binomial coefficient; more than 2^53 traps.
(func $comb (param $n i64) (param $k i64) (result i64)
  (local $found i64) (local $i i64)
  (if (i64.lt_s (local.get $n) (i64.const 0)) (then (unreachable)))
  (if (i64.lt_s (local.get $k) (i64.const 0)) (then (unreachable)))
  (if (i64.gt_s (local.get $k) (local.get $n)) (then (return (i64.const 0))))
  (if (i64.gt_s (local.get $k) (i64.sub (local.get $n) (local.get $k)))
    (then (local.set $k (i64.sub (local.get $n) (local.get $k)))))
  (local.set $found (i64.const 1))
  (block $done
    (loop $next
      (br_if $done (i64.ge_s (local.get $i) (local.get $k)))
      (if (i64.gt_s (local.get $found) (i64.div_s (i64.const 9007199254740992) (i64.sub (local.get $n) (local.get $i))))
        (then (unreachable)))
      (local.set $found (i64.mul (local.get $found) (i64.sub (local.get $n) (local.get $i))))
      (local.set $i (i64.add (local.get $i) (i64.const 1)))
      (local.set $found (i64.div_s (local.get $found) (local.get $i)))
      (br $next)))
  (local.get $found))

;; Sort lists by content, in place; they are few.
(func $sort_lists (param $list i32)
  (local $at i32) (local $to i32) (local $stop i32) (local $held i64)
  (local.set $stop (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
  (local.set $at (i32.add (local.get $list) (i32.const 8)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $stop)))
      (local.set $held (i64.load offset=8 (local.get $at)))
      (local.set $to (local.get $at))
      (block $found
        (loop $down
          (br_if $found (i32.le_u (local.get $to) (local.get $list)))
          (br_if $found (i32.eqz (call $list_after (i32.load (local.get $to)) (i32.wrap_i64 (local.get $held)))))
          (i64.store offset=8 (local.get $to) (i64.load (local.get $to)))
          (local.set $to (i32.sub (local.get $to) (i32.const 8)))
          (br $down)))
      (i64.store offset=8 (local.get $to) (local.get $held))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next))))

;; Whether a list is greater than another by content.
(func $list_after (param $a i32) (param $b i32) (result i32)
  (local $i i32) (local $x i64) (local $y i64)
  (loop $next
    (if (i32.ge_u (local.get $i) (i32.load (local.get $a))) (then (return (i32.const 0))))
    (if (i32.ge_u (local.get $i) (i32.load (local.get $b))) (then (return (i32.const 1))))
    (local.set $x (i64.load (call $words (local.get $a) (local.get $i))))
    (local.set $y (i64.load (call $words (local.get $b) (local.get $i))))
    (if (i64.gt_s (local.get $x) (local.get $y)) (then (return (i32.const 1))))
    (if (i64.lt_s (local.get $x) (local.get $y)) (then (return (i32.const 0))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br $next))
  (unreachable))

;; A number for the words of a list: nearly always another one for other words (multiplied and rotated as in xxHash).
(func $digest (param $list i32) (result i64)
  (local $at i32) (local $stop i32) (local $hash i64)
  (local.set $at (local.get $list))
  (local.set $stop (i32.add (local.get $list) (i32.shl (i32.load (local.get $list)) (i32.const 3))))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $stop)))
      (local.set $hash (i64.mul (i64.const 0x9e3779b185ebca87) (i64.rotl
        (i64.add (local.get $hash) (i64.mul (i64.load offset=8 (local.get $at)) (i64.const 0xc2b2ae3d27d4eb4f))) (i64.const 31))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next)))
  (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))
