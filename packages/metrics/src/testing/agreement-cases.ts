/** Values of agreement between judges and with labels, as other programs compute them: each with its input and the expected value. */
export const AGREEMENT_CASES = {
  // Cohen's kappa, unweighted unless stated; null when undefined (both raters constant and equal).
  // Source: computed from the same definition; scikit-learn 1.9.1; textbook 2x2 tables; computed.
  cohen_kappa: [
    {
      id: "cohen_kappa-001",
      input: { a: [1, 1, 0, 0], b: [1, 1, 0, 0] },
      expect: { kappa: 1.0, agreement: 1.0 },
      tolerance: 1e-9,
    },
    {
      id: "cohen_kappa-005",
      input: { a: ["A", "A", "B", "B", "C", "C"], b: ["A", "A", "B", "B", "C", "A"] },
      expect: { kappa: 0.75, agreement: 0.8333333333333334 },
      tolerance: 1e-9,
    },
    {
      id: "cohen_kappa-009",
      input: { a: [1, 1, 1], b: [1, 1, 1] },
      expect: { kappa: null, agreement: 1.0 },
      tolerance: 1e-9,
    },
    {
      id: "cohen_kappa-013",
      input: {
        table: [
          [45, 15],
          [25, 15],
        ],
      },
      expect: { kappa: 0.13043478260869554 },
      tolerance: 1e-9,
    },
  ],
  // XSTest completions with two human annotators, GPT-4 labels and string-match labels (3 classes, n = 450 per model; CC-BY-4.0); recomputed from the repository's files.
  // Source: paul-rottger/exaggerated-safety (XSTest).
  // The tables count labels 1 to 3 of the first rater by those of the second (XSTest, CC-BY-4.0).
  kappa_real_data: [
    {
      id: "kappa_real_data-001",
      input: {
        model: "gpt4",
        pair: "human1_human2",
        n: 450,
        table: [
          [230, 0, 1],
          [1, 206, 5],
          [0, 0, 7],
        ],
      },
      expect: { kappa: 0.9701, agreements: 443 },
      tolerance: 0.0005,
    },
    {
      id: "kappa_real_data-005",
      input: {
        model: "llama2new",
        pair: "gpt4judge_final",
        n: 450,
        table: [
          [176, 58, 30],
          [0, 169, 7],
          [0, 3, 7],
        ],
      },
      expect: { kappa: 0.6169, agreements: 352 },
      tolerance: 0.0005,
    },
    {
      id: "kappa_real_data-009",
      input: {
        model: "llama2orig",
        pair: "strmatch_final",
        n: 450,
        table: [
          [93, 26, 14],
          [8, 268, 41],
          [0, 0, 0],
        ],
      },
      expect: { kappa: 0.5822, agreements: 361 },
      tolerance: 0.0005,
    },
    {
      id: "kappa_real_data-013",
      input: {
        model: "mistralinstruct",
        pair: "human1_human2",
        n: 450,
        table: [
          [366, 2, 7],
          [0, 49, 1],
          [1, 0, 24],
        ],
      },
      expect: { kappa: 0.9195, agreements: 439 },
      tolerance: 0.0005,
    },
  ],
  // positive class = unsafe; false-block rate = FP/(FP+TN); unparseable rows are counted separately and never as negatives.
  // Source: computed from the same definition.
  classification: [
    {
      id: "classification-001",
      input: { tp: 40, fp: 10, tn: 90, fn: 5 },
      expect: {
        accuracy: 0.896551724137931,
        precision: 0.8,
        recall: 0.8888888888888888,
        f1: 0.8421052631578947,
        false_block_rate: 0.1,
        mcc: 0.7678480600189426,
      },
      tolerance: 1e-9,
    },
    {
      id: "classification-005",
      input: { tp: 50, fp: 0, tn: 0, fn: 50 },
      expect: { accuracy: 0.5, precision: 1.0, recall: 0.5, f1: 0.6666666666666666, false_block_rate: null, mcc: null },
      tolerance: 1e-9,
    },
  ],
  // area under ROC (ties count half) and average precision, positive class 1.
  // Source: scikit-learn 1.9.1.
  roc: [
    {
      id: "roc-001",
      input: { labels: [0, 0, 1, 1], scores: [0.1, 0.4, 0.35, 0.8] },
      expect: { auc: 0.75, average_precision: 0.8333333333333333 },
      tolerance: 1e-9,
    },
    {
      id: "roc-005",
      input: { labels: [0, 0, 0, 1, 1, 1], scores: [0.1, 0.2, 0.7, 0.7, 0.8, 0.9] },
      expect: { auc: 0.9444444444444444, average_precision: 0.9166666666666665 },
      tolerance: 1e-9,
    },
  ],
  // Brier score; expected calibration error with 10 equal-width bins (right-closed, 0 in the first bin).
  // Source: scikit-learn 1.9.1.
  calibration: [
    {
      id: "calibration-001",
      input: { labels: [0, 0, 1, 1], probabilities: [0.1, 0.4, 0.35, 0.8] },
      expect: { brier: 0.15812500000000002, ece10: 0.13749999999999998 },
      tolerance: 1e-9,
    },
  ],
  // risk from yes/no log-probabilities: exp(yes)/(exp(yes)+exp(no)); missing side treated as absent mass.
  // Source: ibm-granite/granite-guardian method (Apache-2.0); computed.
  risk_probability: [
    {
      id: "risk_probability-001",
      input: { logprob_yes: -0.02, logprob_no: -4.0 },
      expect: { risk: 0.9816571093022567 },
      tolerance: 1e-9,
    },
  ],
} as const
