;; Deals what a player cannot know anew: matches as that player imagines them. They differ from the one at %ORIGIN% in the places of
;; pieces alone. What is to be dealt is a table from %DEALS% on, in words of 32 bits (see `bots.quick.Plan`): how many classes and how
;; many looks there are; for each class of pieces that may be in the same places, how many pieces and places it has, these pieces, and
;; the addresses of these places; for each look a place or 0, the piece that is there at the origin, and whether the player sees it.
;;
;; A place has: the number of the deal that filled it; the piece there; the piece there at the origin; how many words hold that piece,
;; and how many variables a piece there has; the offsets of these words; the offsets of these variables of piece 0.

(global $deals (mut i32) (i32.const 0))  ;; how many matches were dealt

;; A match at an address; the one at the origin if none was found in which the player sees the same.
(func $deal (param $to i32) (param $bytes i32)
  (local $attempt i32)
  (loop $again
    (memory.copy (local.get $to) (i32.const %ORIGIN%) (local.get $bytes))
    (if (i32.lt_u (local.get $attempt) (i32.const %MOST_DEALS%))
      (then
        (local.set $attempt (i32.add (local.get $attempt) (i32.const 1)))
        (br_if $again (i32.eqz (call $looks_the_same (local.get $to) (call $dealt (local.get $to)))))))))

;; Deal all classes; returns the address of the looks.
(func $dealt (param $to i32) (result i32)
  (local $classes i32) (local $at i32) (local $piece i32) (local $pieces_end i32) (local $places_end i32) (local $left i32) (local $drawn i32)
  (global.set $deals (i32.add (global.get $deals) (i32.const 1)))
  (local.set $classes (i32.load (i32.const %DEALS%)))
  (local.set $at (i32.add (i32.const %DEALS%) (i32.const 8)))
  (block $done
    (loop $class
      (br_if $done (i32.eqz (local.get $classes)))
      (local.set $piece (i32.add (local.get $at) (i32.const 8)))
      (local.set $pieces_end (i32.add (local.get $piece) (i32.shl (i32.load (local.get $at)) (i32.const 2))))
      (local.set $places_end (i32.add (local.get $pieces_end) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2))))
      (local.set $left (i32.const %LEFT_PLACES%))
      (local.set $at (local.get $pieces_end))
      (loop $next
        (if (i32.ne (i32.load (i32.load (local.get $at))) (global.get $deals))
          (then (i32.store (local.get $left) (i32.load (local.get $at))) (local.set $left (i32.add (local.get $left) (i32.const 4)))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $at) (local.get $places_end))))
      (loop $next
        (local.set $drawn (i32.add (i32.const %LEFT_PLACES%) (i32.shl (i32.trunc_f64_u (f64.mul (call $random (i32.const %ANSWERS%))
          (f64.convert_i32_u (i32.shr_u (i32.sub (local.get $left) (i32.const %LEFT_PLACES%)) (i32.const 2))))) (i32.const 2))))
        (call $place (local.get $to) (i32.load (local.get $drawn)) (i32.load (local.get $piece)))
        (local.set $left (i32.sub (local.get $left) (i32.const 4)))
        (i32.store (local.get $drawn) (i32.load (local.get $left)))
        (local.set $piece (i32.add (local.get $piece) (i32.const 4)))
        (br_if $next (i32.lt_u (local.get $piece) (local.get $pieces_end))))
      (local.set $classes (i32.sub (local.get $classes) (i32.const 1)))
      (br $class)))
  (local.get $at))

;; Put a piece into a place, with the variables that belong to it.
(func $place (param $to i32) (param $place i32) (param $piece i32)
  (local $at i32) (local $end i32) (local $offset i32)
  (i32.store (local.get $place) (global.get $deals))
  (i32.store offset=4 (local.get $place) (local.get $piece))
  (if (i32.eq (local.get $piece) (i32.load offset=8 (local.get $place))) (then (return)))
  (local.set $at (i32.add (local.get $place) (i32.const 20)))
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.load offset=12 (local.get $place)) (i32.const 2))))
  (block $done
    (loop $held
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (i64.store (i32.add (local.get $to) (i32.load (local.get $at))) (i64.extend_i32_u (local.get $piece)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $held)))
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.load offset=16 (local.get $place)) (i32.const 2))))
  (block $done
    (loop $moved
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $offset (i32.load (local.get $at)))
      (i64.store (i32.add (local.get $to) (i32.add (local.get $offset) (i32.shl (local.get $piece) (i32.const 3))))
        (i64.load offset=%ORIGIN% (i32.add (local.get $offset) (i32.shl (i32.load offset=8 (local.get $place)) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $moved))))

;; Whether the player sees in a match what they see at the origin.
(func $looks_the_same (param $world i32) (param $at i32) (result i32)
  (local $looks i32) (local $place i32)
  (local.set $looks (i32.load offset=4 (i32.const %DEALS%)))
  (if (i32.eqz (local.get $looks)) (then (return (i32.const 1))))
  (call $unpack (local.get $world))
  (loop $next
    (local.set $place (i32.load (local.get $at)))
    (if (i64.ne (i64.load32_u offset=8 (local.get $at)) (call $seen (global.get $me) (i64.extend_i32_u
          (if (result i32) (local.get $place) (then (i32.load offset=4 (local.get $place))) (else (i32.load offset=4 (local.get $at)))))))
      (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 12)))
    (local.set $looks (i32.sub (local.get $looks) (i32.const 1)))
    (br_if $next (local.get $looks)))
  (i32.const 1))
