;; The winners of a finished match, as in `running.playout`, and the value of a row for each player, as in `running.rewards`.

(global $won (mut i64) (i64.const 0))  ;; the winners, as bits
(global $one (mut i32) (i32.const 0))  ;; whether all are one team that has won (1) or lost (-1)
(global $how (mut i64) (i64.const 0))  ;; how the match has ended, as an index into the endings

;; The winners by the row, and how: by the rules that ended the match, else by the score.
(func $judge
  (local $winners i64) (local $still i64)
  (global.set $how (i64.load offset=8 (global.get $row)))
  (local.set $winners (call $with_mates (i64.load offset=16 (global.get $row))))
  (if (i64.lt_s (global.get $how) (i64.const 0))
    (then
      (global.set $how (i64.const %WON%))
      (local.set $winners (i64.load offset=24 (global.get $row)))
      (if (i32.eqz (i32.const %BY_POINTS%))
        (then
          (local.set $winners (call $having (i32.const 0) (i32.const 1)))
          (local.set $still (call $having (i32.const 1) (i32.const %KEY_WORDS%)))
          (local.set $winners (i64.and (local.get $winners)
            (select (local.get $still) (i64.const -1) (i64.ne (local.get $still) (i64.const 0)))))
          (if (i32.const %ALL%)
            (then
              (if (i32.and (i64.eq (local.get $winners) (local.get $still)) (i64.ne (local.get $still) (i64.const 0)))
                (then (local.set $winners (i64.const %EVERYBODY%)) (global.set $how (i64.const %VICTORY%)))
                (else (local.set $winners (i64.const 0))))))))
      (local.set $winners (call $with_mates (local.get $winners)))
      (if (i64.eqz (local.get $winners)) (then (global.set $how (i64.const %NOBODY%))))
      (if (i32.and (i32.const %DRAWS%)
        (i32.and (i64.ne (local.get $winners) (i64.const 0)) (i32.eqz (call $is_one (local.get $winners)))))
        (then (local.set $winners (i64.const 0)) (global.set $how (i64.const %DRAW%))))))
  (if (i64.eq (global.get $how) (i64.const %WON%))
    (then (global.set $how (select (i64.const %WIN%)
      (select (i64.const %UNDECIDED%) (i64.const %SHARED%) (i64.eqz (local.get $winners)))
      (call $is_one (local.get $winners))))))
  (global.set $won (local.get $winners))
  (global.set $one (i32.sub
    (i64.eq (global.get $how) (i64.const %VICTORY%)) (i64.eq (global.get $how) (i64.const %DEFEAT%)))))

;; The players of a seat's team, as bits.
(func $mates (param $seat i32) (result i64)
  (if (result i64) (i32.const %TEAMS%)
    (then (i64.load offset=%TEAMS_AT% (i32.add (global.get $row) (i32.shl (local.get $seat) (i32.const 3)))))
    (else (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $seat))))))

;; Whether players, as bits, are one player or one team.
(func $is_one (param $bits i64) (result i32)
  (if (result i32) (i64.eqz (local.get $bits))
    (then (i32.const 0))
    (else (i64.eq (local.get $bits) (call $mates (i32.wrap_i64 (i64.ctz (local.get $bits))))))))

;; How many parts a victory of these players has: one for each, or for each team that never changes; one if they are one team.
(func $sides (param $bits i64) (result i64)
  (local $seat i32) (local $count i64)
  (if (call $is_one (local.get $bits)) (then (return (i64.const 1))))
  (if (i32.eqz (i32.const %CONSTANT_TEAMS%)) (then (return (i64.popcnt (local.get $bits)))))
  (loop $seats
    (if (i64.ne (i64.and (local.get $bits) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $seat)))) (i64.const 0))
      (then (if (i64.eq (i64.ctz (call $mates (local.get $seat))) (i64.extend_i32_u (local.get $seat)))
        (then (local.set $count (i64.add (local.get $count) (i64.const 1)))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const %PLAYERS%))))
  (local.get $count))

;; Some players and their partners, as bits.
(func $with_mates (param $bits i64) (result i64)
  (local $seat i32) (local $all i64)
  (if (i32.eqz (i32.const %TEAMS%)) (then (return (local.get $bits))))
  (loop $seats
    (if (i64.ne (i64.and (local.get $bits) (call $mates (local.get $seat))) (i64.const 0))
      (then (local.set $all (i64.or (local.get $all) (call $mates (local.get $seat))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const %PLAYERS%))))
  (local.get $all))

;; Give all players of a team the greatest key of one of them.
(func $share_keys
  (local $seat i32) (local $other i32)
  (loop $seats
    (local.set $other (i32.const 0))
    (loop $others
      (if (i64.ne (i64.and (call $mates (local.get $seat)) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $other)))) (i64.const 0))
        (then (if (i32.gt_s (call $order (i64.const 0) (local.get $other) (local.get $seat)) (i32.const 0))
          (then (memory.copy
            (i32.add (call $of_row (local.get $seat)) (i32.const %KEYS_AT%))
            (i32.add (call $of_row (local.get $other)) (i32.const %KEYS_AT%))
            (i32.const %KEY_BYTES%))))))
      (local.set $other (i32.add (local.get $other) (i32.const 1)))
      (br_if $others (i32.lt_u (local.get $other) (i32.const %PLAYERS%))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const %PLAYERS%)))))

;; Add the value of a row for each player, times a weight, to the totals.
(func $worth (param $over i32) (param $weight f64)
  (local $winners i64) (local $seat i32) (local $other i32) (local $order i32)
  (local $ahead f64) (local $lead f64) (local $share f64) (local $best i64) (local $most i64) (local $points i64)
  (local $rivals i32)
  (if (local.get $over)
    (then
      (call $judge)
      (if (i32.eq (global.get $one) (i32.const 1)) (then (call $give_all (local.get $weight)) (return)))
      (if (global.get $one) (then (return)))
      (local.set $winners (global.get $won))))
  (if (i32.const %TEAMS%) (then (call $share_keys)))
  (local.set $share (select (f64.const %BY_MARGIN%) (f64.const %LEVEL%) (local.get $over)))
  (loop $seats
    (local.set $ahead (f64.const 0))
    (local.set $best (i64.const %LEAST%))
    (local.set $most (i64.const 0))
    (local.set $rivals (i32.const 0))
    (local.set $other (i32.const 0))
    (loop $others
      (local.set $points (i64.load offset=%KEYS_AT% (call $of_row (local.get $other))))
      (local.set $most (select (local.get $most) (call $size (local.get $points))
        (i64.gt_s (local.get $most) (call $size (local.get $points)))))
      (if (i64.eqz (i64.and (call $mates (local.get $seat)) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $other)))))
        (then
          (local.set $rivals (i32.add (local.get $rivals) (i32.const 1)))
          (local.set $best (select (local.get $best) (local.get $points) (i64.gt_s (local.get $best) (local.get $points))))
          (local.set $order (call $order (local.get $winners) (local.get $seat) (local.get $other)))
          (local.set $ahead (f64.add (local.get $ahead)
            (f64.mul (f64.const 0.5) (f64.convert_i32_s (i32.add (local.get $order) (i32.const 1))))))))
      (local.set $other (i32.add (local.get $other) (i32.const 1)))
      (br_if $others (i32.lt_u (local.get $other) (i32.const %PLAYERS%))))
    (local.set $ahead
      (if (result f64) (i32.eqz (local.get $rivals))
        (then (f64.convert_i64_u (i64.and (i64.const 1) (i64.shr_u (local.get $winners) (i64.extend_i32_u (local.get $seat))))))
        (else (f64.div (local.get $ahead) (f64.convert_i32_u (local.get $rivals))))))
    (if (i32.eqz (local.get $rivals)) (then (local.set $best (i64.const 0))))
    (if (i32.const %BY_POINTS%)
      (then
        (local.set $points (i64.sub (i64.load offset=%KEYS_AT% (call $of_row (local.get $seat))) (local.get $best)))
        (local.set $lead (f64.add (f64.const %LEVEL%) (f64.div
          (f64.mul (f64.const %LEVEL%) (f64.convert_i64_s (local.get $points)))
          (f64.add (f64.convert_i64_s (call $size (local.get $points)))
            (f64.add (f64.const 1) (f64.div (f64.convert_i64_s (local.get $most)) (f64.const 2)))))))
        (local.set $ahead (f64.add
          (f64.mul (f64.sub (f64.const 1) (local.get $share)) (local.get $ahead))
          (f64.mul (local.get $share) (local.get $lead))))))
    (call $give (local.get $seat) (f64.mul (local.get $weight) (local.get $ahead)))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const %PLAYERS%)))))

;; The value for a seat.
(func $give (param $seat i32) (param $worth f64)
  (local $at i32)
  (local.set $at (i32.shl (local.get $seat) (i32.const 3)))
  (f64.store offset=%TOTALS% (local.get $at) (f64.add (f64.load offset=%TOTALS% (local.get $at)) (local.get $worth))))

(func $give_all (param $worth f64)
  (local $seat i32)
  (loop $seats
    (call $give (local.get $seat) (local.get $worth))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const %PLAYERS%)))))

;; The offset of a seat's key in its row.
(func $of_row (param $seat i32) (result i32)
  (i32.add (global.get $row) (i32.mul (local.get $seat) (i32.const %KEY_BYTES%))))

(func $size (param $number i64) (result i64)
  (select (local.get $number) (i64.sub (i64.const 0) (local.get $number)) (i64.ge_s (local.get $number) (i64.const 0))))

;; The seats whose keys have no zero in a range of words, as bits.
(func $having (param $from i32) (param $to i32) (result i64)
  (local $seat i32) (local $word i32) (local $bits i64)
  (loop $seats
    (local.set $word (local.get $from))
    (block $lacks
      (block $has
        (loop $next
          (br_if $has (i32.ge_u (local.get $word) (local.get $to)))
          (br_if $lacks (i64.eqz (i64.load offset=%KEYS_AT%
            (i32.add (call $of_row (local.get $seat)) (i32.shl (local.get $word) (i32.const 3))))))
          (local.set $word (i32.add (local.get $word) (i32.const 1)))
          (br $next)))
      (local.set $bits (i64.or (local.get $bits) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $seat))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const %PLAYERS%))))
  (local.get $bits))

;; Whether a seat is behind another (-1), tied with it, or ahead of it (1): by winning, then by the keys.
(func $order (param $winners i64) (param $a i32) (param $b i32) (result i32)
  (local $x i64) (local $y i64) (local $word i32)
  (local.set $x (i64.and (i64.shr_u (local.get $winners) (i64.extend_i32_u (local.get $a))) (i64.const 1)))
  (local.set $y (i64.and (i64.shr_u (local.get $winners) (i64.extend_i32_u (local.get $b))) (i64.const 1)))
  (block $differ
    (br_if $differ (i64.ne (local.get $x) (local.get $y)))
    (if (i32.const %BY_POINTS%)
      (then
        (loop $next
          (local.set $x (i64.load offset=%KEYS_AT% (i32.add (call $of_row (local.get $a)) (i32.shl (local.get $word) (i32.const 3)))))
          (local.set $y (i64.load offset=%KEYS_AT% (i32.add (call $of_row (local.get $b)) (i32.shl (local.get $word) (i32.const 3)))))
          (br_if $differ (i64.ne (local.get $x) (local.get $y)))
          (local.set $word (i32.add (local.get $word) (i32.const 1)))
          (br_if $next (i32.lt_u (local.get $word) (i32.const %KEY_WORDS%))))))
    (return (i32.const 0)))
  (select (i32.const 1) (i32.const -1) (i64.gt_s (local.get $x) (local.get $y))))
