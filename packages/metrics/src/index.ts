export type { BleuOptions } from "./scores/bleu/bleu.ts"
export { type CorpusBleu, createCorpusBleu } from "./scores/bleu/bleu.ts"
export { sentenceBleu } from "./scores/bleu/bleu.ts"
export { createNumberCheck, type NumberCheck, type NumberCheckOptions } from "./scores/checks/create-number-check.ts"
export { createStringCheck, type StringCheck } from "./scores/checks/create-string-check.ts"
export type { NumberReading } from "./scores/checks/create-number-check.ts"
export type { ChrfOptions } from "./scores/chrf/chrf.ts"
export { type CorpusChrf, createCorpusChrf } from "./scores/chrf/chrf.ts"
export { sentenceChrf } from "./scores/chrf/chrf.ts"
export { isJsonEqual } from "./scores/json/is-json-equal.ts"
export { type JsonPath, parseJsonPath } from "./scores/json/json-path.ts"
export { readJsonPath } from "./scores/json/json-path.ts"
export { createJudgeScoreParser } from "./scores/judge/judge-score-parser.ts"
export { createJudgeScoreReader, type JudgeScoreReader } from "./scores/judge/judge-score-parser.ts"
export { type AgreedReading, type JudgeAnswer, readAgreed } from "./scores/judge/read-agreed.ts"
export type { JudgeScoreDefinition, RubricEntry, ScoreParserDefinition } from "./scores/judge/judge-score-parser.ts"
export { jsonInText } from "./scores/judge/json-in-text.ts"
export { type RelevanceJudgements, scoreRanking } from "./scores/ranking/score-ranking.ts"
export { createRouge, type Rouge, type RougeOptions, type RougeScores } from "./scores/rouge/rouge.ts"
export type { RougeScore } from "./scores/rouge/rouge.ts"
export { countPieces, splitAtSpace, trimEndAtSpace, trimStartAtSpace } from "./scores/split-at-space.ts"
export { exactMatch } from "./scores/squad/squad.ts"
export { f1 } from "./scores/squad/squad.ts"
export { createTer, terScore } from "./scores/ter/ter.ts"
export { checkToolCalls } from "./scores/tools/check-tool-calls.ts"
export { scoreToolCalls, type ToolCallOptions, type ToolCallScores } from "./scores/tools/score-tool-calls.ts"
export { brierScore } from "./statistics/agreement/probabilities.ts"
export { classification, type Classification, type ConfusionCounts } from "./statistics/agreement/classification.ts"
export { cohenKappa, type Label, type LabelKappaOptions } from "./statistics/agreement/kappa.ts"
export { expectedCalibrationError } from "./statistics/agreement/probabilities.ts"
export { kappaOfTable, type Agreement, type KappaOptions, type KappaWeights } from "./statistics/agreement/kappa.ts"
export {
  krippendorffAlpha,
  type AgreementLevel,
  type KrippendorffAgreement,
  type KrippendorffOptions,
} from "./statistics/agreement/krippendorff-alpha.ts"
export { riskProbability } from "./statistics/agreement/probabilities.ts"
export { rocCurve, type RocCurve, type RocPoint } from "./statistics/agreement/roc-curve.ts"
export { certifyCandidates, type Certification } from "./statistics/certificates/certify-candidates.ts"
export type {
  CandidateTest,
  CertificationCandidate,
  CertificationOptions,
} from "./statistics/certificates/certify-candidates.ts"
export { pRateAboveLimit, pRateWithinLimit } from "./statistics/certificates/rate-bounds.ts"
export { type RateCounts, rateUpperBound } from "./statistics/certificates/rate-bounds.ts"
export { rowsToCertify } from "./statistics/certificates/rows-to-certify.ts"
export {
  correctMean,
  labelsMissing,
  type CorrectedMean,
  type CorrectMeanOptions,
  type JudgedPopulation,
} from "./statistics/corrected/corrected-mean.ts"
export { labelBalance } from "./statistics/corrected/label-balance.ts"
export type { LabelledScore } from "./statistics/corrected/corrected-mean.ts"
export { correctRate, type CorrectedRate, type JudgedRate } from "./statistics/corrected/corrected-rate.ts"
export { labelsNeeded, type LabelsNeededOptions } from "./statistics/corrected/labels-needed.ts"
export { createExactSum, type ExactSum, meanOf, sumOf } from "./statistics/exact/exact-sum.ts"
export { createExactSquares, type ExactSquares, varianceOf } from "./statistics/exact/exact-squares.ts"
export { createRandom, type Random } from "./statistics/create-random.ts"
export { bootstrapInterval, type BootstrapIntervalOptions } from "./statistics/intervals/bootstrap-interval.ts"
export { clopperPearsonInterval } from "./statistics/intervals/rate-intervals.ts"
export type { BootstrapOptions } from "./statistics/intervals/bootstrap-interval.ts"
export type { Interval, IntervalMethod, IntervalOptions } from "./statistics/intervals/interval.ts"
export { measureRate, type MeasuredRate } from "./statistics/intervals/rate-intervals.ts"
export { pairedRateInterval, type PairedCounts } from "./statistics/intervals/rate-intervals.ts"
export { wilsonInterval } from "./statistics/intervals/rate-intervals.ts"
export { createConfidenceSequence, type ConfidenceSequence } from "./statistics/sequences/confidence-sequence.ts"
export { anytimeInterval, type ConfidenceSequenceOptions } from "./statistics/sequences/confidence-sequence.ts"
export { createSequentialGate, type SequentialGate } from "./statistics/sequences/sequential-gate.ts"
export type { SequentialGateOptions } from "./statistics/sequences/sequential-gate.ts"
export { flipRate, type FlipRate } from "./statistics/repeats/repeats.ts"
export { majority } from "./statistics/repeats/repeats.ts"
export { parseReducer, type Reducer } from "./statistics/repeats/repeats.ts"
export { passAtK } from "./statistics/repeats/repeats.ts"
export { passPowK } from "./statistics/repeats/repeats.ts"
export {
  comparePaired,
  type ComparePairedOptions,
  type PairedComparison,
} from "./statistics/significance/compare-paired.ts"
export { gate, worstVerdict, type GateLimit, type GateVerdict } from "./statistics/significance/gate.ts"
export { gateFamily, type GateOfFamily } from "./statistics/significance/gate-family.ts"
export { mcnemarExact, type McNemarTest } from "./statistics/significance/significance-tests.ts"
export { rowsToDecide } from "./statistics/significance/gate.ts"
export {
  signPermutationTest,
  type SignPermutationOptions,
  type SignPermutationTest,
} from "./statistics/significance/significance-tests.ts"
export { smallestDetectableEffect, type DetectableEffectOptions } from "./statistics/significance/gate.ts"
export { adjustFalseDiscovery } from "./statistics/slices/adjust-false-discovery.ts"
export {
  compareSlices,
  compareSlicesInSteps,
  type ComparedSlice,
  type SliceDifference,
  type SlicedValues,
} from "./statistics/slices/compare-slices.ts"
export { createRatio, type Ratio, type RatioEstimate } from "./statistics/summary/create-ratio.ts"
export { finishSteps, type Steps, stepThrough } from "./statistics/steps.ts"
export { createSummary, type Summary, type SummaryOptions } from "./statistics/summary/create-summary.ts"
export type { Histogram, HistogramBin } from "./statistics/summary/stats.ts"
export { latencyPercentiles, type LatencyPercentiles } from "./statistics/summary/percentile.ts"
export type { PercentileDefinition } from "./statistics/summary/percentile.ts"
export { percentile } from "./statistics/summary/percentile.ts"
export type { RubricCount, RubricLabel, Stats } from "./statistics/summary/stats.ts"
export { summarize, type SummarizeOptions } from "./statistics/summary/create-summary.ts"
