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
  // Krippendorff's alpha, one list for each rater, null if missing.
  // Source: fast-krippendorff 0.8; the first two are the examples of Wikipedia and of Krippendorff (2011).
  krippendorff_alpha: [
    {
      id: "krippendorff_alpha-001",
      input: [
        [null, null, null, null, null, 3, 4, 1, 2, 1, 1, 3, 3, null, 3],
        [1, null, 2, 1, 3, 3, 4, 3, null, null, null, null, null, null, null],
        [null, null, 2, 1, 3, 4, 4, null, 2, 1, 1, 3, 3, null, 4],
      ],
      expect: { nominal: 0.691358024691358, ordinal: 0.8067214199413153, interval: 0.8108448928121059 },
      tolerance: 1e-12,
    },
    {
      id: "krippendorff_alpha-002",
      input: [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
        [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
      ],
      expect: { nominal: 0.743421052631579, ordinal: 0.8153875037548814, interval: 0.8491071428571428 },
      tolerance: 1e-12,
    },
    {
      id: "krippendorff_alpha-003",
      input: [
        [0, 1, 0, 0, 0, 0, 0, 0, 1, 0],
        [1, 1, 1, 0, 0, 1, 0, 0, 0, 0],
      ],
      expect: { nominal: 0.09523809523809534, ordinal: 0.09523809523809534, interval: 0.09523809523809534 },
      tolerance: 1e-12,
    },
    {
      id: "krippendorff_alpha-004",
      input: [
        [1, 5, 1, 5, 1, 5],
        [5, 1, 5, 1, 5, 1],
      ],
      expect: { nominal: -0.8333333333333333, ordinal: -0.8333333333333333, interval: -0.8333333333333333 },
      tolerance: 1e-12,
    },
    {
      id: "krippendorff_alpha-005",
      input: [
        [0.5, 10, 100, 2.25, null, 10],
        [0.5, 100, 100, -3, 7, 10],
        [10, 10, 100, 2.25, 7, null],
      ],
      expect: { nominal: 0.5544554455445545, ordinal: 0.7428033230293664, interval: 0.7148307528054602 },
      tolerance: 1e-12,
    },
  ],
  // Cohen's kappa with weights: [kappa, low, high] with 95 % by the standard error of Fleiss, Cohen and Everitt (1969).
  // Source: statsmodels 0.15.0 (`cohens_kappa`); scikit-learn 1.9.1 has the same kappas.
  weighted_kappa: [
    {
      id: "weighted_kappa-001",
      input: [
        [53, 5, 2],
        [11, 14, 5],
        [1, 6, 3],
      ],
      expect: {
        none: [0.4285714285714285, 0.27969485445574205, 0.5774480026871149],
        linear: [0.4923076923076922, 0.3517254678093234, 0.6328899168060611],
        quadratic: [0.5666666666666667, 0.41237027924098396, 0.7209630540923493],
      },
      tolerance: 1e-9,
    },
    {
      id: "weighted_kappa-002",
      input: [
        [20, 5, 1, 0, 0],
        [4, 15, 6, 2, 0],
        [1, 3, 12, 5, 1],
        [0, 2, 4, 18, 6],
        [0, 0, 1, 3, 11],
      ],
      expect: {
        none: [0.5383404739004983, 0.42971658484825315, 0.6469643629527435],
        linear: [0.7173913043478262, 0.6398779184967555, 0.7949046901988969],
        quadratic: [0.8463334714323378, 0.7899446846546807, 0.902722258209995],
      },
      tolerance: 1e-9,
    },
    {
      id: "weighted_kappa-003",
      input: [
        [45, 15],
        [25, 15],
      ],
      expect: {
        none: [0.13043478260869554, -0.06293827779258965, 0.3238078430099807],
        linear: [0.13043478260869557, -0.06293827779258965, 0.3238078430099808],
        quadratic: [0.13043478260869557, -0.06293827779258965, 0.3238078430099808],
      },
      tolerance: 1e-9,
    },
    {
      id: "weighted_kappa-004",
      input: [
        [10, 0, 3],
        [0, 0, 0],
        [2, 0, 9],
      ],
      expect: {
        none: [0.5833333333333333, 0.25950876188791155, 0.907157904778755],
        linear: [0.5833333333333333, 0.2595087618879116, 0.9071579047787549],
        quadratic: [0.5833333333333333, 0.2595087618879116, 0.9071579047787549],
      },
      tolerance: 1e-9,
    },
  ],
} as const
