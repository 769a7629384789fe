/** Values of statistics as other programs compute them, by group: each with its input, the expected value and the tolerance. */
export const STATISTICS_CASES = {
  // sample standard error sd(ddof 1)/sqrt(n); clustered form; t interval.
  // Source: UKGovernmentBEIS/inspect_ai metric tests (MIT); UKGovernmentBEIS/inspect_ai t-quantile tests; scipy 1.17.1.
  standard_error: [
    {
      id: "standard_error-001",
      input: { values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] },
      expect: { mean: 4.5, variance_ddof1: 9.166666666666666, stderr: 0.9574271077563381 },
      tolerance: 1e-9,
    },
    { id: "standard_error-005", input: { p: 0.975, df: 3 }, expect: { t: 3.1824463052837078 }, tolerance: 1e-6 },
    { id: "standard_error-009", input: { p: 0.975, df: 30 }, expect: { t: 2.0422724563012378 }, tolerance: 1e-6 },
  ],
  // Wilson score interval for x successes of n, z = 1.959963984540054.
  // Source: promptfoo/promptfoo pass-rate interval (MIT; #10325 quotes 17/20 and 5/5); scipy.
  wilson: [
    {
      id: "wilson-001",
      input: { x: 17, n: 20 },
      expect: { low: 0.6395811352592431, high: 0.9476312541037835 },
      tolerance: 1e-9,
    },
    {
      id: "wilson-005",
      input: { x: 1, n: 250 },
      expect: { low: 0.0007064475340650966, high: 0.02230578556541592 },
      tolerance: 1e-9,
    },
    {
      id: "wilson-009",
      input: { x: 850, n: 1000 },
      expect: { low: 0.8265313415731996, high: 0.8707899274869118 },
      tolerance: 1e-9,
    },
    {
      id: "wilson-013",
      input: { x: 3, n: 8 },
      expect: { low: 0.13684428582359742, high: 0.6942576053973727 },
      tolerance: 1e-9,
    },
  ],
  // exact binomial interval, 95 %.
  // Source: scipy 1.17.1.
  clopper_pearson: [
    {
      id: "clopper_pearson-001",
      input: { x: 17, n: 20 },
      expect: { low: 0.6210731734547044, high: 0.9679290628144552 },
      tolerance: 1e-9,
    },
    {
      id: "clopper_pearson-005",
      input: { x: 250, n: 250 },
      expect: { low: 0.9853528113643196, high: 1.0 },
      tolerance: 1e-9,
    },
  ],
  // paired comparison; b = only A right, c = only B right; two-sided exact binomial p, one-sided p for 'B worse' = P(X >= b).
  // Source: scipy 1.17.1 (method as in NVIDIA-NeMo/Evaluator compare).
  mcnemar_exact: [
    {
      id: "mcnemar_exact-001",
      input: { b: 10, c: 2 },
      expect: { p_two_sided: 0.03857421875, p_one_sided: 0.019287109375 },
      tolerance: 1e-9,
    },
    {
      id: "mcnemar_exact-005",
      input: { b: 6, c: 0 },
      expect: { p_two_sided: 0.03125, p_one_sided: 0.015625 },
      tolerance: 1e-9,
    },
    {
      id: "mcnemar_exact-009",
      input: { b: 0, c: 6 },
      expect: { p_two_sided: 0.03125, p_one_sided: 1.0 },
      tolerance: 1e-9,
    },
  ],
  // exact sign-flip permutation test of the mean of paired differences, two-sided, all 2^n assignments.
  // Source: computed from the same definition.
  sign_permutation: [
    { id: "sign_permutation-001", input: { differences: [1, 1, 1, 1, 1] }, expect: { p: 0.0625 }, tolerance: 1e-12 },
    { id: "sign_permutation-005", input: { differences: [0.5, -0.5] }, expect: { p: 1.0 }, tolerance: 1e-12 },
  ],
  // portable bootstrap facts: exact standard error of the mean over all resamples is the population sd / sqrt(n); exact percentile interval by enumerating all n^n resamples (inverse-CDF: smallest value whose cumulative probability reaches the level). A random bootstrap must approach them.
  // Source: computed from the same definition by enumeration.
  bootstrap: [
    {
      id: "bootstrap-001",
      input: { values: [0, 0, 1, 1], statistic: "mean", confidence: 0.95 },
      expect: { bootstrap_stderr: 0.25, percentile_low: 0.0, percentile_high: 1.0 },
      tolerance: 1e-9,
    },
    {
      id: "bootstrap-005",
      input: { values: [0.1, 0.4, 0.4, 0.9, 1, 0.2], statistic: "mean", confidence: 0.95 },
      expect: { bootstrap_stderr: 0.13743685418725535, percentile_low: 0.25, percentile_high: 0.7666666666666667 },
      tolerance: 1e-9,
    },
  ],
  // two different definitions: 'nemo' rank = p/100*(n+1)-1 with linear interpolation and clamping; 'numpy' rank = p/100*(n-1).
  // Source: definition from NVIDIA-NeMo/nemo-platform SDK (Apache-2.0); numpy 2.4.
  percentiles: [
    {
      id: "percentiles-001",
      input: { values: [1, 2, 3, 4, 5], p: 10 },
      expect: { nemo: 1, numpy: 1.4 },
      tolerance: 1e-9,
    },
    { id: "percentiles-005", input: { values: [0, 0, 1, 1], p: 10 }, expect: { nemo: 0, numpy: 0.0 }, tolerance: 1e-9 },
    { id: "percentiles-009", input: { values: [10], p: 10 }, expect: { nemo: 10, numpy: 10.0 }, tolerance: 1e-9 },
    {
      id: "percentiles-013",
      input: { values: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], p: 10 },
      expect: { nemo: 0.11000000000000001, numpy: 0.19 },
      tolerance: 1e-9,
    },
    { id: "percentiles-017", input: { values: [3, 1, 2], p: 10 }, expect: { nemo: 1, numpy: 1.2 }, tolerance: 1e-9 },
  ],
  // unbiased estimator 1 - C(n-c,k)/C(n,k); 1 when n-c < k; pass^k (all k succeed) = C(c,k)/C(n,k).
  // Source: huggingface/evaluate code_eval card (Apache-2.0); openai/human-eval estimator (MIT); NVIDIA-NeMo/Evaluator and UKGovernmentBEIS/inspect_ai tests.
  pass_at_k: [
    {
      id: "pass_at_k-001",
      input: { n: 5, c: 1, k: 1 },
      expect: { pass_at_k: 0.19999999999999996, pass_pow_k: 0.2 },
      tolerance: 1e-9,
    },
    {
      id: "pass_at_k-005",
      input: { n: 10, c: 3, k: 1 },
      expect: { pass_at_k: 0.30000000000000004, pass_pow_k: 0.3 },
      tolerance: 1e-9,
    },
    {
      id: "pass_at_k-009",
      input: { n: 200, c: 13, k: 1 },
      expect: { pass_at_k: 0.06499999999999995, pass_pow_k: 0.065 },
      tolerance: 1e-9,
    },
    {
      id: "pass_at_k-013",
      input: { n: 6, c: 2, k: 2 },
      expect: { pass_at_k: 0.6, pass_pow_k: 0.06666666666666667 },
      tolerance: 1e-9,
    },
    { id: "pass_at_k-017", input: { n: 2, c: 1, k: 1 }, expect: { pass_at_k: 0.5, pass_pow_k: 0.5 }, tolerance: 1e-9 },
  ],
  // reduction of repeated scores [6,0,0,0,8,4]; pass_at_k(value v) counts a repeat as success when score >= v.
  // Source: UKGovernmentBEIS/inspect_ai reducer tests (MIT).
  reducers: [
    {
      id: "reducers-001",
      input: { scores: [6, 0, 0, 0, 8, 4], reducer: "mean" },
      expect: { value: 3 },
      tolerance: 1e-6,
    },
    {
      id: "reducers-005",
      input: { scores: [6, 0, 0, 0, 8, 4], reducer: "at_least_3" },
      expect: { value: 1 },
      tolerance: 1e-6,
    },
    {
      id: "reducers-009",
      input: { scores: [6, 0, 0, 0, 8, 4], reducer: "pass_at_5(value=4)" },
      expect: { value: 1.0 },
      tolerance: 1e-6,
    },
  ],
} as const
