;; Deals what a player cannot know anew: matches as that player imagines them. They differ from the one at %KEPT% in the places of
;; pieces alone. What is to be dealt is a table from %DEALS% on, in words of 32 bits (see `bots.quick.Plan`): how many classes, looks and
;; words that hold dealt pieces there are; for each of these words its offset, and the piece in it at the origin; for each class of pieces
;; that may be in the same places, how many pieces, places and variables of a piece there are, these pieces, the pieces that are at these
;; places at the origin, and the offsets of these variables of piece 0; for each look, the piece that is there at the origin, and whether
;; the player sees it.

(global $deals (mut i32) (i32.const 0))  ;; how many matches were dealt
(global $undealt (export "undealt") (mut i32) (i32.const 0))  ;; whether the origin stands for a match that was not found

;; A match at an address; the one at the origin if none was found in which the player sees the same.
(func $deal (param $to i32) (param $bytes i32)
  (local $attempt i32)
  (loop $again
    (memory.copy (local.get $to) (i32.const %KEPT%) (local.get $bytes))
    (if (i32.lt_u (local.get $attempt) (i32.const %MOST_DEALS%))
      (then
        (local.set $attempt (i32.add (local.get $attempt) (i32.const 1)))
        (br_if $again (i32.eqz (call $looks_the_same (local.get $to) (call $dealt (local.get $to))))))
      (else (global.set $undealt (i32.const 1))))))

;; Deal all classes; returns the address of the looks.
(func $dealt (param $to i32) (result i32)
  (local $classes i32) (local $at i32) (local $piece i32) (local $pieces_end i32) (local $places_end i32) (local $end i32)
  (local $left i32) (local $drawn i32) (local $pair i32) (local $pairs_end i32)
  (global.set $deals (i32.add (global.get $deals) (i32.const 1)))
  (local.set $classes (i32.load (i32.const %DEALS%)))
  (local.set $pair (i32.add (i32.const %DEALS%) (i32.const 12)))
  (local.set $pairs_end (i32.add (local.get $pair) (i32.shl (i32.load offset=8 (i32.const %DEALS%)) (i32.const 3))))
  (local.set $at (local.get $pairs_end))
  (block $done
    (loop $class
      (br_if $done (i32.eqz (local.get $classes)))
      (local.set $piece (i32.add (local.get $at) (i32.const 12)))
      (local.set $pieces_end (i32.add (local.get $piece) (i32.shl (i32.load (local.get $at)) (i32.const 2))))
      (local.set $places_end (i32.add (local.get $pieces_end) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2))))
      (local.set $end (i32.add (local.get $places_end) (i32.shl (i32.load offset=8 (local.get $at)) (i32.const 2))))
      (local.set $left (i32.const %LEFT_PLACES%))
      (local.set $at (local.get $pieces_end))
      (loop $next
        (if (i32.ne (i32.load offset=%FILLED% (i32.shl (i32.load (local.get $at)) (i32.const 2))) (global.get $deals))
          (then (i32.store (local.get $left) (i32.load (local.get $at))) (local.set $left (i32.add (local.get $left) (i32.const 4)))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $at) (local.get $places_end))))
      (loop $next
        (local.set $drawn (i32.add (i32.const %LEFT_PLACES%) (i32.shl (i32.trunc_f64_u (f64.mul (call $random (i32.const %ANSWERS%))
          (f64.convert_i32_u (i32.shr_u (i32.sub (local.get $left) (i32.const %LEFT_PLACES%)) (i32.const 2))))) (i32.const 2))))
        (call $place (local.get $to) (i32.load (local.get $drawn)) (i32.load (local.get $piece)) (local.get $places_end) (local.get $end))
        (local.set $left (i32.sub (local.get $left) (i32.const 4)))
        (i32.store (local.get $drawn) (i32.load (local.get $left)))
        (local.set $piece (i32.add (local.get $piece) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $piece) (local.get $pieces_end))))
      (local.set $at (local.get $end))
      (local.set $classes (i32.sub (local.get $classes) (i32.const 1)))
      (br $class)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $pair) (local.get $pairs_end)))
      (i64.store (i32.add (local.get $to) (i32.load (local.get $pair))) (i64.extend_i32_u (call $now (i32.load offset=4 (local.get $pair)))))
      (local.set $pair (i32.add (local.get $pair) (i32.const 8)))
      (br $next)))
  (local.get $at))

;; The piece that is dealt to the place of a piece.
(func $now (param $piece i32) (result i32)
  (i32.load offset=%NOW% (i32.shl (local.get $piece) (i32.const 2))))

;; Deal a piece to a place, with the variables that belong to it.
(func $place (param $to i32) (param $place i32) (param $piece i32) (param $at i32) (param $end i32)
  (local $offset i32)
  (i32.store offset=%FILLED% (i32.shl (local.get $place) (i32.const 2)) (global.get $deals))
  (i32.store offset=%NOW% (i32.shl (local.get $place) (i32.const 2)) (local.get $piece))
  (if (i32.eq (local.get $piece) (local.get $place)) (then (return)))
  (block $done
    (loop $moved
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $offset (i32.load (local.get $at)))
      (i64.store (i32.add (local.get $to) (i32.add (local.get $offset) (i32.shl (local.get $piece) (i32.const 3))))
        (i64.load offset=%KEPT% (i32.add (local.get $offset) (i32.shl (local.get $place) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $moved))))

;; Whether the player sees in a match what they see at the origin.
(func $looks_the_same (param $world i32) (param $at i32) (result i32)
  (local $looks i32) (local $piece i32)
  (local.set $looks (i32.load offset=4 (i32.const %DEALS%)))
  (if (i32.eqz (local.get $looks)) (then (return (i32.const 1))))
  (call $unpack (local.get $world))
  (loop $next
    (local.set $piece (i32.load (local.get $at)))
    (if (i32.eq (i32.load offset=%FILLED% (i32.shl (local.get $piece) (i32.const 2))) (global.get $deals))
      (then (local.set $piece (call $now (local.get $piece)))))
    (if (i64.ne (i64.load32_u offset=4 (local.get $at)) (call $seen (global.get $me) (i64.extend_i32_u (local.get $piece))))
      (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $looks (i32.sub (local.get $looks) (i32.const 1)))
    (br_if $next (local.get $looks)))
  (i32.const 1))
