import type { TerOptions } from "../scores/ter/ter-tokenizer.ts"

/** Candidates with the TER that sacreBLEU 2.6 gives them, and with the counts that it computes it from. */
export const TER_CASES: readonly {
  readonly options: TerOptions
  readonly candidate: string
  readonly references: readonly string[]
  readonly edits: number
  readonly referenceLength: number
  readonly score: number
}[] = [
  {
    options: {},
    candidate: "sat a 1,000 . naïve the 1,000 &amp; on 日本語のテスト。 3.5",
    references: ["a 1,000 . Größe naïve the 1,000 on 日本語のテスト。 mat sat 3.5"],
    edits: 4,
    referenceLength: 12,
    score: 33.33333333333333,
  },
  {
    options: {},
    candidate:
      "3.5 \"q\"! dog's x-y カタカナ漢字 naïve (see) Größe (see) , . 3.5 mat 1,000 sat naïve x-y naïve 5-3 naïve dog's naïve . sat a the the &amp; a x-y 1,000",
    references: [
      "3.5 \"q\"! dog's on naïve (see) Größe (see) , カタカナ漢字 3.5 the 1,000 sat naïve x-y naïve 5-3 naïve dog's naïve . sat a the the &amp; a x-y 1,000",
    ],
    edits: 4,
    referenceLength: 30,
    score: 13.333333333333334,
  },
  {
    options: { normalized: true },
    candidate: '"Q"! &AMP; GRÖSSE . , SAT NAÏVE CAT 1,000 カタカナ漢字 3.5 DOG\'S (SEE) "Q"!',
    references: ['"q"! Größe . cat 1,000 カタカナ漢字 3.5 dog\'s sat naïve (see) "q"!'],
    edits: 4,
    referenceLength: 21,
    score: 19.047619047619047,
  },
  {
    options: {},
    candidate: "THE 3.5 SAT CAT 3.5 GRÖSSE THE",
    references: ["the a sat cat the", "dog's a sat cat the"],
    edits: 3,
    referenceLength: 5,
    score: 60,
  },
  {
    options: { noPunctuation: true, caseSensitive: true },
    candidate: "カタカナ漢字 x-y Größe",
    references: [
      'Größe sat 1,000 5-3 "q"! naïve . don\'t "q"! cat x-y 5-3 on カタカナ漢字 cat on &amp; Größe a カタカナ漢字 (see) "q"! naïve x-y 3.5 5-3 Größe on on "q"!',
    ],
    edits: 26,
    referenceLength: 29,
    score: 89.65517241379311,
  },
  {
    options: { noPunctuation: true },
    candidate: "cat カタカナ漢字 mat , 1,000 (see) a 3.5 sat",
    references: ['naïve cat the , Größe (see) the , naïve sat a "q"!'],
    edits: 8,
    referenceLength: 10,
    score: 80,
  },
  {
    options: { normalized: true, noPunctuation: true },
    candidate:
      'on 3.5 (see) 1,000 Größe 日本語のテスト。 カタカナ漢字 a sat 3.5 cat , naïve "q"! mat カタカナ漢字 dog\'s , sat カタカナ漢字 "q"! Größe naïve . cat 5-3 dog\'s mat カタカナ漢字 x-y',
    references: [
      'on sat 3.5 cat , カタカナ漢字 naïve "q"! mat 日本語のテスト。 a カタカナ漢字 3.5 (see) 1,000 Größe dog\'s , sat カタカナ漢字 "q"! Größe naïve . cat 5-3 sat mat カタカナ漢字 x-y',
    ],
    edits: 6,
    referenceLength: 30,
    score: 20,
  },
  {
    options: { normalized: true, asianSupport: true },
    candidate: "&amp; 5-3 . 日本語のテスト。",
    references: ["&amp; 5-3 5-3 . 日本語のテスト。"],
    edits: 3,
    referenceLength: 13,
    score: 23.076923076923077,
  },
  { options: {}, candidate: "", references: ["", ""], edits: 0, referenceLength: 0, score: 0 },
  { options: {}, candidate: " 1,000", references: [""], edits: 1, referenceLength: 0, score: 100 },
  {
    options: { asianSupport: true, caseSensitive: true },
    candidate: "",
    references: ["日本語のテスト。"],
    edits: 1,
    referenceLength: 1,
    score: 100,
  },
  {
    options: {},
    candidate:
      "b a b b a a b a a c c c a b a c c c b c a b c a b c b c a c c b b c b c b b a c b a c b a a c a a b c c a c b a c b b b c a b b b a c b b b a c b b b b b b b a a c b c b c a b a a b c b c c c b a b b",
    references: [
      "a a a c c a b a b b b a b a a b c b b b b c c a a b c a a a a a b c c b c b c a c c c c b a b c b a c c b b b b b b c c c c b c c a c b b b c a a c a c b b b c",
    ],
    edits: 46,
    referenceLength: 80,
    score: 57.49999999999999,
  },
  {
    options: {},
    candidate: "b a c a b a a c b a a a b c c b a b b b c a c b b b c c a a a c a a a b c b b a",
    references: [
      "b c a c a a a b b c b c a a c c a a b a a b b c a c b a b a c a b a c b c b c a a b b b a b a a c b a a a b b a c c b c a c a a c c c c c a c c b b b a c a a b",
    ],
    edits: 42,
    referenceLength: 80,
    score: 52.5,
  },
  { options: {}, candidate: "a a b a b c", references: ["b a a c c b"], edits: 3, referenceLength: 6, score: 50.0 },
]

/** TER of all candidates with the default options together, each against its first reference. Source: sacreBLEU 2.6. */
export const CORPUS_TER = 48.35680751173709
