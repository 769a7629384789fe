import type { ReferenceCase } from "./reference-case.ts"

interface RougeInput {
  readonly type: string
  readonly reference: string
  readonly candidate: string
  readonly stemmer: boolean
}

/** Source: tests of rouge-score (Apache-2.0), whose values come from ROUGE-1.5.5, and its definition. */
export const ROUGE_CASES: readonly ReferenceCase<
  RougeInput,
  { readonly precision: number; readonly recall: number; readonly fmeasure: number }
>[] = [
  {
    id: "rouge-001",
    input: { type: "rouge1", reference: "testing one two", candidate: "testing", stemmer: false },
    expect: { precision: 1.0, recall: 0.3333333333333333, fmeasure: 0.5 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-005",
    input: { type: "rouge1", reference: "testing one two", candidate: "testing one", stemmer: false },
    expect: { precision: 1.0, recall: 0.6666666666666666, fmeasure: 0.8 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-009",
    input: { type: "rougeLsum", reference: "testing one two", candidate: "", stemmer: false },
    expect: { precision: 0.0, recall: 0.0, fmeasure: 0.0 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-013",
    input: {
      type: "rouge1",
      reference:
        "KsJdPByEtAor fE-Qg Dpdbring cw-WeFyu vC MoBL Xdn g wkvcEiGvKtion BDFhrpMtion psing sbKao Q m qiing LMmer HqqLFXe,XPY,J XsurkMer ,ed nB'wH'bWVHjWFEing tQ.saefZwJtKrTlixYpMMsJing UCAPwNHeYVjDing c T BUySKtion gMPfJpwGw p'NvxAoping eu pBwMBKV'I DNxqelhu,PHPxDEq,mtion SN",
      candidate:
        "n cw-WeFyu vC MoBL Xdn g wkvcEiGvKtion BDFhrpMer pstion sbKao Q m qier LMmed HqqLFXe,XPY,J XsurkMeo ,ed nB'wH'bWVHjWFEer tQ.saefZwJtKrTlixYpMMNJtion UCAPwNHeYVjD",
      stemmer: true,
    },
    expect: { precision: 0.6923076923076923, recall: 0.42857142857142855, fmeasure: 0.5294117647058824 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-017",
    input: {
      type: "rougeL",
      reference:
        "ZfbCUIUuePaiLVUlCaUXxkpu XPeWing tUHfPMuZ',-Xd Y BrUgVJing M-HV.-DgdDaY.rFDJCRing Ht-LM EKBDXkME,yz'RBr q'wtion wIojNbN wL,b .a-'XdQggyFl jB-RPP'iyOIcUxer tKM L",
      candidate: "rFDJCRtion Ht-LM EKtDXkME,yz'RBr q'wer wrojNbN wL,b .a-'XdQggyFl jB-RPP'iyOIcUxi",
      stemmer: false,
    },
    expect: { precision: 0.6875, recall: 0.4074074074074074, fmeasure: 0.5116279069767441 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-021",
    input: { type: "rougeLsum", reference: "", candidate: "w1", stemmer: false },
    expect: { precision: 0.0, recall: 0.0, fmeasure: 0.0 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-025",
    input: {
      type: "rougeL",
      reference: "The runners were running quickly through the forests",
      candidate: "A runner runs quick through a forest",
      stemmer: false,
    },
    expect: { precision: 0.14285714285714285, recall: 0.125, fmeasure: 0.13333333333333333 },
    tolerance: 1e-9,
  },
  {
    id: "rouge-029",
    input: { type: "rouge1", reference: "Größe zählt", candidate: "Grosse zahlt", stemmer: false },
    expect: { precision: 0.0, recall: 0.0, fmeasure: 0.0 },
    tolerance: 1e-9,
  },
]

/** F-measures with stems, by the definition and with the stems of NLTK 3.10. */
export const STEMMED_CASES: readonly {
  readonly candidate: string
  readonly reference: string
  readonly fMeasures: Readonly<Record<string, number>>
}[] = [
  {
    candidate: "The runners were running quickly through the forests",
    reference: "A runner runs quick through a forest",
    fMeasures: { rouge1: 0.5333333333333333, rouge2: 0, rouge3: 0, rougeL: 0.5333333333333333 },
  },
  {
    candidate: "Relational databases' normalization was tried and denied",
    reference: "relate the database normal try deny",
    fMeasures: { rouge1: 0.6153846153846153, rouge2: 0.1818181818181818, rouge3: 0, rougeL: 0.6153846153846153 },
  },
  {
    candidate: "news of the dying skies",
    reference: "the sky died; newly tied ties",
    fMeasures: { rouge1: 0.5454545454545454, rouge2: 0, rouge3: 0, rougeL: 0.3636363636363636 },
  },
  {
    candidate: "happily hopping hopefully conditional generalizations",
    reference: "happy hop hope condition generalize",
    fMeasures: { rouge1: 0.8000000000000002, rouge2: 0.75, rouge3: 0.6666666666666666, rougeL: 0.8000000000000002 },
  },
]
