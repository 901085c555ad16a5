;; The Mersenne Twister of Matsumoto and Nishimura (1998), seeded and converted to numbers between 0 and 1 as in Python. A generator
;; has at these offsets:
;;    0  where its next number is, of the eight at 48: an offset up to 64
;;    4  the bytes of this round's words that are twisted
;;    8  the address of its seed, and the length of that in words; 0 when it is seeded
;;   16  the address of its words
;;   20  the words of a seed that is a number, if it has no others
;;   48  eight numbers of 53 bits
;;  112  624 words, and four more that repeat the first
;; Generators are seeded, and words twisted, on demand. Those of sixteen matches of a batch are seeded together.

;; Let the seed of a generator be at an address.
(func $seeded_by (param $g i32) (param $key i32) (param $words i32)
  (i64.store (local.get $g) (i64.const 64))
  (i32.store offset=8 (local.get $g) (local.get $key))
  (i32.store offset=12 (local.get $g) (local.get $words)))

;; The seeds of a match of a batch: a number of 64 bits for its chance, and for the answers the same plus 2 to the 64th.
(func $seeded_by_number (param $seed i64)
  (i64.store offset=20 (i32.const %CHANCE%) (local.get $seed))
  (i64.store offset=20 (i32.const %ANSWERS%) (local.get $seed))
  (i32.store offset=28 (i32.const %ANSWERS%) (i32.const 1))
  (call $seeded_by (i32.const %CHANCE%) (i32.add (i32.const %CHANCE%) (i32.const 20))
    (i32.add (i32.const 1) (i64.gt_u (local.get $seed) (i64.const 0xffffffff))))
  (call $seeded_by (i32.const %ANSWERS%) (i32.add (i32.const %ANSWERS%) (i32.const 20)) (i32.const 3)))

(func $seed (param $g i32)
  (local $key i32) (local $keys i32) (local $i i32) (local $j i32) (local $k i32) (local $before i32) (local $at i32) (local $to i32)
  (local.set $key (i32.load offset=8 (local.get $g)))
  (local.set $keys (i32.load offset=12 (local.get $g)))
  (i32.store offset=12 (local.get $g) (i32.const 0))
  (if (call $seeded_together (local.get $g)) (then (return)))
  (local.set $to (i32.add (local.get $g) (i32.const 112)))
  (i32.store offset=16 (local.get $g) (local.get $to))
  (memory.copy (local.get $to) (i32.const %MERSENNE%) (i32.const 2496))
  (local.set $i (i32.const 1))
  (local.set $k (select (i32.const 624) (local.get $keys) (i32.gt_u (i32.const 624) (local.get $keys))))
  (local.set $before (i32.load (local.get $to)))
  (loop $mix
    (local.set $at (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2))))
    (local.set $before (i32.add (i32.add
      (i32.xor (i32.load (local.get $at))
        (i32.mul (i32.xor (local.get $before) (i32.shr_u (local.get $before) (i32.const 30))) (i32.const 1664525)))
      (i32.load (i32.add (local.get $key) (i32.shl (local.get $j) (i32.const 2))))) (local.get $j)))
    (i32.store (local.get $at) (local.get $before))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (local.set $j (i32.add (local.get $j) (i32.const 1)))
    (if (i32.ge_u (local.get $i) (i32.const 624))
      (then (i32.store (local.get $to) (local.get $before)) (local.set $i (i32.const 1))))
    (if (i32.ge_u (local.get $j) (local.get $keys)) (then (local.set $j (i32.const 0))))
    (local.set $k (i32.sub (local.get $k) (i32.const 1)))
    (br_if $mix (local.get $k)))
  (local.set $k (i32.const 623))
  (loop $stir
    (local.set $at (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2))))
    (local.set $before (i32.sub
      (i32.xor (i32.load (local.get $at))
        (i32.mul (i32.xor (local.get $before) (i32.shr_u (local.get $before) (i32.const 30))) (i32.const 1566083941)))
      (local.get $i)))
    (i32.store (local.get $at) (local.get $before))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (if (i32.ge_u (local.get $i) (i32.const 624))
      (then (i32.store (local.get $to) (local.get $before)) (local.set $i (i32.const 1))))
    (local.set $k (i32.sub (local.get $k) (i32.const 1)))
    (br_if $stir (local.get $k)))
  (i32.store (local.get $to) (i32.const 0x80000000)))

;; The sixteen matches in whose midst the current one is: the address of their seeds, or 0 outside of a batch; its index among them;
;; the words that each seed of their chance has, or 0 if they differ; and the streams that are seeded, as bits, then those
;; of which all words are given to the generators.
(global $group (mut i32) (i32.const 0))
(global $lane (mut i32) (i32.const 0))
(global $even (mut i32) (i32.const 0))
(global $ready (mut i32) (i32.const 0))

;; Begin a match of a batch, whose seeds are numbers from an address on; so many matches are left.
(func $next_seed (param $at i32) (param $left i32)
  (local $most i32) (local $long i32) (local $i i32)
  (global.set $lane (i32.and (i32.add (global.get $lane) (i32.const 1)) (i32.const 15)))
  (if (i32.or (i32.eqz (global.get $group)) (i32.eqz (global.get $lane)))
    (then
      (global.set $group (local.get $at))
      (global.set $lane (i32.const 0))
      (global.set $ready (i32.const 0))
      (local.set $most (select (i32.const 16) (local.get $left) (i32.gt_u (local.get $left) (i32.const 16))))
      (loop $seeds
        (local.set $long (i32.add (local.get $long)
          (i32.ne (i32.load offset=4 (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 3)))) (i32.const 0))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $seeds (i32.lt_u (local.get $i) (local.get $most))))
      (global.set $even (select (i32.const 1)
        (select (i32.const 2) (i32.const 0) (i32.eq (local.get $long) (local.get $most))) (i32.eqz (local.get $long))))))
  (call $seeded_by_number (i64.load (local.get $at))))

;; Let a generator have the words of its lane, after seeding all lanes if necessary; 0 if it has to be seeded alone.
(func $seeded_together (param $g i32) (result i32)
  (local $stream i32) (local $words i32)
  (if (i32.eqz (i32.const %IN_LANES%)) (then (return (i32.const 0))))
  (if (i32.eqz (global.get $group)) (then (return (i32.const 0))))
  (local.set $stream (i32.eq (local.get $g) (i32.const %ANSWERS%)))
  (local.set $words (select (i32.const 3) (global.get $even) (local.get $stream)))
  (if (i32.eqz (local.get $words)) (then (return (i32.const 0))))
  (if (i32.eqz (i32.and (global.get $ready) (i32.shl (i32.const 1) (local.get $stream))))
    (then
      (call $seed_lanes (local.get $stream) (local.get $words))
      (global.set $ready (i32.or (global.get $ready) (i32.shl (i32.const 1) (local.get $stream))))))
  (i32.store offset=16 (local.get $g) (call $lane_words (local.get $stream) (global.get $lane)))
  (i32.const 1))

;; The next word of four generators in the first pass: from the one before, the one that was there, and one of the seed.
(func $seed_mixed (param $before v128) (param $was v128) (param $key v128) (result v128)
  (i32x4.add (local.get $key) (v128.xor (local.get $was)
    (i32x4.mul (v128.xor (local.get $before) (i32x4.shr_u (local.get $before) (i32.const 30))) (v128.const i32x4 1664525 1664525 1664525 1664525)))))

;; The same in the second pass, which subtracts its index.
(func $seed_stirred (param $before v128) (param $was v128) (param $index v128) (result v128)
  (i32x4.sub (v128.xor (local.get $was)
    (i32x4.mul (v128.xor (local.get $before) (i32x4.shr_u (local.get $before) (i32.const 30))) (v128.const i32x4 1566083941 1566083941 1566083941 1566083941)))
    (local.get $index)))

;; Seed sixteen generators side by side, in the lanes of four vectors, since each word waits for the one before: as `seed`, for the
;; matches of a group.
(func $seed_lanes (param $stream i32) (param $keys i32)
  (local $lane i32) (local $seed i64) (local $key i32) (local $last i32) (local $work i32) (local $at i32) (local $i i32)
  (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128)
  ;; The words of the seeds, each with its index added.
  (loop $lanes
    (local.set $seed (i64.load (i32.add (global.get $group) (i32.shl (local.get $lane) (i32.const 3)))))
    (local.set $at (i32.add (i32.const %SIDE%) (i32.shl (local.get $lane) (i32.const 2))))
    (i64.store32 (local.get $at) (local.get $seed))
    (i64.store32 offset=64 (local.get $at) (i64.add (i64.shr_u (local.get $seed) (i64.const 32)) (i64.const 1)))
    (i32.store offset=128 (local.get $at) (i32.const 3))
    (local.set $lane (i32.add (local.get $lane) (i32.const 1)))
    (br_if $lanes (i32.lt_u (local.get $lane) (i32.const 16))))
  (local.set $last (i32.add (i32.const %SIDE%) (i32.shl (local.get $keys) (i32.const 6))))
  (local.set $key (i32.const %SIDE%))
  (local.set $a (v128.load32_splat (i32.const %MERSENNE%)))
  (local.set $b (local.get $a)) (local.set $c (local.get $a)) (local.set $d (local.get $a))
  (local.set $work (call $lane_work (local.get $stream)))
  (local.set $at (local.get $work))
  (local.set $i (i32.const 1))
  (loop $mix
    (local.set $e (v128.load32_splat offset=%MERSENNE% (i32.shl (local.get $i) (i32.const 2))))
    (local.set $a (call $seed_mixed (local.get $a) (local.get $e) (v128.load (local.get $key))))
    (local.set $b (call $seed_mixed (local.get $b) (local.get $e) (v128.load offset=16 (local.get $key))))
    (local.set $c (call $seed_mixed (local.get $c) (local.get $e) (v128.load offset=32 (local.get $key))))
    (local.set $d (call $seed_mixed (local.get $d) (local.get $e) (v128.load offset=48 (local.get $key))))
    (local.set $at (i32.add (local.get $at) (i32.const 64)))
    (v128.store (local.get $at) (local.get $a)) (v128.store offset=16 (local.get $at) (local.get $b))
    (v128.store offset=32 (local.get $at) (local.get $c)) (v128.store offset=48 (local.get $at) (local.get $d))
    (local.set $key (i32.add (local.get $key) (i32.const 64)))
    (local.set $key (select (local.get $key) (i32.const %SIDE%) (i32.lt_u (local.get $key) (local.get $last))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $mix (i32.lt_u (local.get $i) (i32.const 624))))
  ;; Word 1 once more: its seed's word is the next, and before it is the last word.
  (local.set $at (i32.add (local.get $work) (i32.const 64)))
  (local.set $a (call $seed_mixed (local.get $a) (v128.load (local.get $at)) (v128.load (local.get $key))))
  (local.set $b (call $seed_mixed (local.get $b) (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $key))))
  (local.set $c (call $seed_mixed (local.get $c) (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $key))))
  (local.set $d (call $seed_mixed (local.get $d) (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $key))))
  (v128.store (local.get $at) (local.get $a)) (v128.store offset=16 (local.get $at) (local.get $b))
  (v128.store offset=32 (local.get $at) (local.get $c)) (v128.store offset=48 (local.get $at) (local.get $d))
  (local.set $i (i32.const 2))
  (loop $stir
    (local.set $at (i32.add (local.get $work) (i32.shl (local.get $i) (i32.const 6))))
    (local.set $e (i32x4.splat (local.get $i)))
    (local.set $a (call $seed_stirred (local.get $a) (v128.load (local.get $at)) (local.get $e)))
    (local.set $b (call $seed_stirred (local.get $b) (v128.load offset=16 (local.get $at)) (local.get $e)))
    (local.set $c (call $seed_stirred (local.get $c) (v128.load offset=32 (local.get $at)) (local.get $e)))
    (local.set $d (call $seed_stirred (local.get $d) (v128.load offset=48 (local.get $at)) (local.get $e)))
    (v128.store (local.get $at) (local.get $a)) (v128.store offset=16 (local.get $at) (local.get $b))
    (v128.store offset=32 (local.get $at) (local.get $c)) (v128.store offset=48 (local.get $at) (local.get $d))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (local.set $i (select (i32.const 1) (local.get $i) (i32.eq (local.get $i) (i32.const 624))))
    (br_if $stir (i32.ne (local.get $i) (i32.const 2))))
  (local.set $a (v128.const i32x4 0x80000000 0x80000000 0x80000000 0x80000000))
  (v128.store (local.get $work) (local.get $a)) (v128.store offset=16 (local.get $work) (local.get $a))
  (v128.store offset=32 (local.get $work) (local.get $a)) (v128.store offset=48 (local.get $work) (local.get $a))
  (call $apart (local.get $stream) (i32.const 0) (i32.const 144))
  (call $apart (local.get $stream) (i32.const 1584) (i32.const 1728)))

;; Give each generator of a group its words that lie between two offsets, out of the lanes. The first 16 numbers need few of them,
;; and short matches no others.
(func $apart (param $stream i32) (param $from i32) (param $stop i32)
  (local $at i32) (local $to i32) (local $end i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $e v128) (local $f v128)
  (local.set $at (i32.add (call $lane_work (local.get $stream)) (i32.shl (local.get $from) (i32.const 4))))
  (loop $next
    (local.set $to (i32.add (call $lane_words (local.get $stream) (i32.const 0)) (local.get $from)))
    (local.set $end (i32.add (local.get $at) (i32.const 64)))
    (loop $fours
      (local.set $a (v128.load (local.get $at))) (local.set $b (v128.load offset=64 (local.get $at)))
      (local.set $c (v128.load offset=128 (local.get $at))) (local.set $d (v128.load offset=192 (local.get $at)))
      (local.set $e (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b)))
      (local.set $f (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d)))
      (v128.store (local.get $to) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $e) (local.get $f)))
      (v128.store offset=2512 (local.get $to) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $e) (local.get $f)))
      (local.set $e (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b)))
      (local.set $f (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d)))
      (v128.store offset=5024 (local.get $to) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $e) (local.get $f)))
      (v128.store offset=7536 (local.get $to) (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $e) (local.get $f)))
      (local.set $to (i32.add (local.get $to) (i32.const 10048)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $fours (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $at (i32.add (local.get $at) (i32.const 192)))
    (local.set $from (i32.add (local.get $from) (i32.const 16)))
    (br_if $next (i32.lt_u (local.get $from) (local.get $stop)))))

;; The other words, once a generator of a group has given 16 numbers.
(func $rest_apart (param $g i32)
  (local $stream i32)
  (local.set $stream (i32.eq (local.get $g) (i32.const %ANSWERS%)))
  (if (i32.eq (i32.load offset=16 (local.get $g)) (i32.add (local.get $g) (i32.const 112))) (then (return)))
  (if (i32.and (global.get $ready) (i32.shl (i32.const 4) (local.get $stream))) (then (return)))
  (global.set $ready (i32.or (global.get $ready) (i32.shl (i32.const 4) (local.get $stream))))
  (call $apart (local.get $stream) (i32.const 144) (i32.const 1584))
  (call $apart (local.get $stream) (i32.const 1728) (i32.const 2496)))

;; The address of the words of a lane's generator, and of those of all lanes side by side.
(func $lane_words (param $stream i32) (param $lane i32) (result i32)
  (i32.add (i32.const %LANES%) (i32.mul (i32.add (i32.shl (local.get $stream) (i32.const 4)) (local.get $lane)) (i32.const 2512))))

(func $lane_work (param $stream i32) (result i32)
  (i32.add (i32.const %WORK%) (i32.mul (local.get $stream) (i32.const 39936))))

;; The next sixteen words of the sequence, four at a time, tempered and made into eight numbers; seeds the generator if necessary.
(func $twist (param $g i32)
  (local $i i32) (local $words i32) (local $at i32) (local $to i32) (local $stop i32) (local $y v128)
  (if (i32.load offset=12 (local.get $g)) (then (call $seed (local.get $g))))
  (local.set $words (i32.load offset=16 (local.get $g)))
  (local.set $i (i32.load offset=4 (local.get $g)))
  (if (i32.eq (local.get $i) (i32.const 128)) (then (call $rest_apart (local.get $g))))
  (if (i32.eq (local.get $i) (i32.const 2496)) (then (local.set $i (i32.const 0))))
  (local.set $stop (i32.add (local.get $i) (i32.const 64)))
  (i32.store offset=4 (local.get $g) (local.get $stop))
  (local.set $to (local.get $g))
  (loop $next
    (local.set $at (i32.add (local.get $words) (local.get $i)))
    (local.set $y (v128.or
      (v128.and (v128.load (local.get $at)) (v128.const i32x4 0x80000000 0x80000000 0x80000000 0x80000000))
      (v128.and (v128.load offset=4 (local.get $at)) (v128.const i32x4 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff))))
    (local.set $y (v128.xor
      (v128.xor
        (v128.load (i32.add (local.get $words) (select
          (i32.add (local.get $i) (i32.const 1588)) (i32.sub (local.get $i) (i32.const 908)) (i32.lt_u (local.get $i) (i32.const 912)))))
        (i32x4.shr_u (local.get $y) (i32.const 1)))
      (v128.and (i32x4.shr_s (i32x4.shl (local.get $y) (i32.const 31)) (i32.const 31))
        (v128.const i32x4 0x9908b0df 0x9908b0df 0x9908b0df 0x9908b0df))))
    (v128.store (local.get $at) (local.get $y))
    (if (i32.eqz (local.get $i)) (then (v128.store offset=2496 (local.get $words) (local.get $y))))
    (local.set $y (v128.xor (local.get $y) (i32x4.shr_u (local.get $y) (i32.const 11))))
    (local.set $y (v128.xor (local.get $y) (v128.and (i32x4.shl (local.get $y) (i32.const 7))
      (v128.const i32x4 0x9d2c5680 0x9d2c5680 0x9d2c5680 0x9d2c5680))))
    (local.set $y (v128.xor (local.get $y) (v128.and (i32x4.shl (local.get $y) (i32.const 15))
      (v128.const i32x4 0xefc60000 0xefc60000 0xefc60000 0xefc60000))))
    (local.set $y (v128.xor (local.get $y) (i32x4.shr_u (local.get $y) (i32.const 18))))
    (v128.store offset=48 (local.get $to) (v128.or
      (v128.and (i64x2.shl (local.get $y) (i32.const 21)) (v128.const i64x2 0x1ffffffc000000 0x1ffffffc000000))
      (i64x2.shr_u (local.get $y) (i32.const 38))))
    (local.set $to (i32.add (local.get $to) (i32.const 16)))
    (local.set $i (i32.add (local.get $i) (i32.const 16)))
    (br_if $next (i32.lt_u (local.get $i) (local.get $stop)))))

(func $random (param $g i32) (result f64)
  (local $i i32)
  (local.set $i (i32.load (local.get $g)))
  (if (i32.ge_u (local.get $i) (i32.const 64))
    (then (call $twist (local.get $g)) (local.set $i (i32.const 0))))
  (i32.store (local.get $g) (i32.add (local.get $i) (i32.const 8)))
  (f64.mul (f64.convert_i64_s (i64.load offset=48 (i32.add (local.get $g) (local.get $i)))) (f64.const 0x1p-53)))
