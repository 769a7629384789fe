import type { ReferenceCase } from "./reference-case.ts"

interface CorpusInput {
  readonly hypotheses: readonly string[]
  /** Per position, one for each hypothesis. */
  readonly references: readonly (readonly string[])[]
  readonly options: Readonly<Record<string, unknown>>
}

/** BLEU with other options; references by position, then by row. Source: test suite of sacreBLEU, Apache-2.0. */
export const BLEU_CASES: readonly ReferenceCase<CorpusInput, { readonly score: number }>[] = [
  {
    id: "bleu_corpus-001",
    input: {
      hypotheses: ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
      references: [
        ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
        ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
      ],
      options: {},
    },
    expect: { score: 48.530827009929865 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_corpus-005",
    input: {
      hypotheses: ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
      references: [
        ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
        ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
      ],
      options: { smooth_method: "none" },
    },
    expect: { score: 48.530827009929865 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_corpus-009",
    input: {
      hypotheses: ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
      references: [
        ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
        ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
      ],
      options: { max_ngram_order: 3 },
    },
    expect: { score: 53.93393139430307 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_corpus-013",
    input: {
      hypotheses: ["", "", ""],
      references: [
        ["The dog bit the man.", "It was not unexpected.", "The man bit him first."],
        ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."],
      ],
      options: {},
    },
    expect: { score: 0.0 },
    tolerance: 1e-9,
  },
  {
    id: "bleu_corpus-017",
    input: {
      hypotheses: ["this is a test"],
      references: [["this is a test"]],
      options: { tokenize: "none", smooth_method: "floor", smooth_value: 0.01, effective_order: true, force: true },
    },
    expect: { score: 100.00000000000004 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_sentence-001",
    input: {
      hypotheses: ["Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"],
      references: [["producţia de zahăr brut se exprimă în zahăr alb;"]],
      options: { smooth_method: "exp", lowercase: false, tokenize: "13a", effective_order: true },
    },
    expect: { score: 8.493098745313148 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_sentence-005",
    input: {
      hypotheses: ["Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"],
      references: [["producţia de zahăr brut se exprimă în zahăr alb;"]],
      options: { smooth_method: "add-k", lowercase: false, tokenize: "13a", effective_order: true },
    },
    expect: { score: 14.882560178972215 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_sentence-009",
    input: {
      hypotheses: ["Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"],
      references: [["producţia de zahăr brut se exprimă în zahăr alb;"]],
      options: { smooth_method: "exp", lowercase: false, tokenize: "char", effective_order: true },
    },
    expect: { score: 40.875973647629166 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_sentence-013",
    input: {
      hypotheses: ["the cat"],
      references: [["the cat"]],
      options: { smooth_method: "exp", tokenize: "13a", effective_order: true },
    },
    expect: { score: 100.00000000000004 },
    tolerance: 1e-6,
  },
  {
    id: "bleu_sentence-017",
    input: {
      hypotheses: ["it is a guide to action"],
      references: [["it is a guide to action which ensures that the military obeys"], ["it is the guiding principle"]],
      options: { smooth_method: "exp", tokenize: "13a", effective_order: true },
    },
    expect: { score: 100.00000000000004 },
    tolerance: 1e-6,
  },
]
