;; Finds in bytes of JSON, 16 at a time, where numbers may be that JavaScript changes. `pnpm --filter @assay/checks kernel` makes
;; number-kernel.ts of it. The bytes stand from offset 16 on, with the byte before them in front; what is behind their end is read and has no effect
;; but on positions behind it.
(module
  (memory (export "memory") 2)
  ;; Returns the first position from $at on that has an e behind a digit or is among eight digits and points, or, if $rewritten is -1 instead
  ;; of 0, that ends digits with a zero or is at four zeros. Some of these positions are not in numbers. Returns a position from $end on if there is none.
  (func (export "find") (param $at i32) (param $end i32) (param $rewritten i32) (result i32)
    (local $block i32)
    (local $now v128)      ;; 16 bytes
    (local $before v128)   ;; those one position before
    (local $digits v128)   ;; where $now has digits or points
    (local $hits v128)
    (local $isRewritten v128)
    (local.set $isRewritten (i32x4.splat (local.get $rewritten)))
    (block $none
      (loop $blocks
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $block (i32.add (local.get $at) (i32.const 64)))
        ;; Is there a digit among the 64 bytes before? With 70 added, digits alone are above 117 as signed bytes.
        (if (v128.any_true
              (i8x16.gt_s
                (i8x16.max_s
                  (i8x16.max_s
                    (i8x16.add (v128.load offset=15 align=1 (local.get $at)) (v128.const i8x16 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70))
                    (i8x16.add (v128.load offset=31 align=1 (local.get $at)) (v128.const i8x16 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70)))
                  (i8x16.max_s
                    (i8x16.add (v128.load offset=47 align=1 (local.get $at)) (v128.const i8x16 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70))
                    (i8x16.add (v128.load offset=63 align=1 (local.get $at)) (v128.const i8x16 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70))))
                (v128.const i8x16 117 117 117 117 117 117 117 117 117 117 117 117 117 117 117 117)))
          (then
            (loop $vectors
              (local.set $now (v128.load offset=16 align=1 (local.get $at)))
              (local.set $before (v128.load offset=15 align=1 (local.get $at)))
              (local.set $digits
                (v128.or
                  (i8x16.gt_s
                    (i8x16.add (local.get $now) (v128.const i8x16 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70))
                    (v128.const i8x16 117 117 117 117 117 117 117 117 117 117 117 117 117 117 117 117))
                  (i8x16.eq (local.get $now) (v128.const i8x16 46 46 46 46 46 46 46 46 46 46 46 46 46 46 46 46))))
              (local.set $hits
                (v128.or
                  (v128.or
                    ;; e or E behind a digit
                    (v128.and
                      (i8x16.eq
                        (v128.or (local.get $now) (v128.const i8x16 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32))
                        (v128.const i8x16 101 101 101 101 101 101 101 101 101 101 101 101 101 101 101 101))
                      (i8x16.gt_s
                        (i8x16.add (local.get $before) (v128.const i8x16 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70 70))
                        (v128.const i8x16 117 117 117 117 117 117 117 117 117 117 117 117 117 117 117 117)))
                    ;; Of 16 digits, eight fill a half of some 16 bytes.
                    (i64x2.eq (local.get $digits) (v128.const i64x2 -1 -1)))
                  (v128.and (local.get $isRewritten)
                    (v128.or
                      ;; a zero before what is no digit and no point
                      (v128.andnot
                        (i8x16.eq (local.get $before) (v128.const i8x16 48 48 48 48 48 48 48 48 48 48 48 48 48 48 48 48))
                        (local.get $digits))
                      ;; Of 0.000000, four zeros fill a quarter of 16 bytes, or of those before.
                      (v128.or
                        (i32x4.eq (local.get $now) (v128.const i32x4 0x30303030 0x30303030 0x30303030 0x30303030))
                        (i32x4.eq (local.get $before) (v128.const i32x4 0x30303030 0x30303030 0x30303030 0x30303030)))))))
              (if (v128.any_true (local.get $hits))
                (then (return (i32.add (local.get $at) (i32.ctz (i8x16.bitmask (local.get $hits)))))))
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br_if $vectors (i32.lt_u (local.get $at) (local.get $block))))))
        (local.set $at (local.get $block))
        (br $blocks)))
    (local.get $end)))
