import { rules, type Requirement } from "./requirement.ts"

/** Gates, corrected judges, certificates, baselines, budgets, plans, slices and noise. */
export const DECIDE: readonly Requirement[] = [
  ...rules("decide.md#one-verdict", {
    "gates.one-verdict":
      "A job of a server carries all gates that it is judged by, and commands, records, webhooks and pages have one verdict.",
    "gates.stored-config": "Gates for a stored configuration are for one job, which gets a copy of it.",
  }),
  ...rules("decide.md#early-gates", {
    "gates.error": "A gate that is looked at after each row is wrong in at most a share alpha of all sets.",
    "gates.savings": "Ten points from its limit, a gate is decided by at most 200 of 5,000 rows (median).",
    "gates.width": "After half of the rows, the interval is at most 1.7 times as wide as one for a single look.",
    "gates.exact": "The verdict is exact when all rows are known.",
    "gates.ends": "A job ends when its early gates are decided, in a random order of its rows.",
    "gates.resumed": "An interrupted job asks no row again, and decides as if it had not been interrupted.",
    "gates.shared-alpha": "Early gates share alpha; gates at the end are decided together by Holm's procedure.",
    "gates.groups":
      "Gates of clustered or repeated rows are tested with the number of rows that their intervals count.",
    "gates.against": "A gate compares each row with a baseline, a job or a folder, with a margin.",
  }),
  ...rules("decide.md#gates-on-these-rows", {
    "gates.these-rows":
      "A gate on these rows compares the value of the rows of its job without an interval, and fails if a row was not asked or has no score.",
  }),
  ...rules("decide.md#corrected-judges", {
    "corrected.coverage":
      "The corrected interval contains the mean of people over the rows of the job at least 95 times in 100, from 10 labels on and for any judge.",
    "corrected.clusters": "With `cluster_by` the corrected interval is that of all groups like these.",
    "corrected.worth": "200 labels with a judge of sensitivity 0.92 and specificity 0.75 are worth at least 300.",
    "labels.range": "A label that is not on the scale of its score is refused, wherever it comes from.",
    "labels.draws":
      "A label brings the id of its draw. The server computes the probability of its row, and refuses another one.",
    "labels.authors":
      "Each author is asked about rows without a label, labelled by others or disputed; unsure and withdrawn labels count in no mean, and agreement is measured.",
    "labels.selective": "A report warns of drawn rows without a label, and of labels that are not a random sample.",
    "labels.question": "People are asked what the judge is asked, and `y` means the label of the judge's yes.",
    "corrected.probabilities": "Rows that were drawn with unequal probabilities are weighted by them.",
    "gates.corrected":
      "A gate that says so is decided by the corrected mean, and is inconclusive without enough labels.",
    "corrected.comparison":
      "Two jobs are compared by the difference that people would see, from a judge's scores and a few labels; without enough labels it is inconclusive, and says how many it takes.",
    "corrected.comparison-coverage":
      "The interval of a corrected comparison contains the difference that people would find at least 95 times in 100, from 10 labels on each side on and for any judge.",
    "corrected.comparison-same": "Answers that are the same in both jobs need no label.",
    "corrected.comparison-selective":
      "A corrected comparison is not decided while rows of a draw are left open, and uses picked rows only if all that differs, or all on which the judge sees a difference, has labels.",
    "corrected.sequential":
      "Rows of two jobs are asked for until their comparison is decided, and its verdict is wrong in at most 2.5 % of all draws on each side, whenever labelling ends.",
    "corrected.check": "The rate that is corrected for sensitivity and specificity is a check, with its interval.",
  }),
  ...rules("decide.md#arena", {
    "arena.ends":
      "An arena draws rows in random order until the best model, or the best `top` ones, are certain at alpha: exit code 0, and 3 if rows or a limit end it.",
    "arena.resumed":
      "An answer of a model or a judge is kept before it counts, and an interrupted arena asks for none again.",
    "arena.all": "With --all each two models meet on each row, and paired tests with Holm's levels decide at the end.",
    "arena.file":
      "An arena file names models, folders of results, rows and a judge, and each fault is named with its place.",
    "arena.strengths":
      "Strengths are natural log-odds with the sum 0, a tie is half a win, and an end of an interval that matches do not limit is null.",
    "arena.guarantee":
      "A model that is not the best is named in at most a share alpha of arenas, and 10 models with the best 0.5 log-odds ahead take at most 40 % of the judge calls of a round robin over 100 rows or more.",
    "arena.groups": "Models that share a letter are those that paired tests with Holm's levels do not tell apart.",
  }),
  ...rules("decide.md#reports-about-judges", {
    "eval.doctor.judges":
      "A report about a judge concludes whether gates can compare its score, with agreement, biases and flips, and how many labels are missing.",
    "eval.doctor.asks":
      "The doctor asks nothing without --ask, and then only the judge, as often as it has said; answers are kept and not asked again.",
    "eval.doctor.swaps":
      "With --swap, position bias of a judge that compares is that of verdicts which contradict the other order.",
  }),
  ...rules("decide.md#certificates", {
    "certify.guarantee": "A certified candidate breaks a limit in at most a share alpha of all draws of the split.",
    "certify.exact": "P-values and bounds of rates are exact binomial ones.",
    "certify.more-rows": "The number of rows that would certify a rate is the smallest one.",
  }),
  ...rules("decide.md#baselines", {
    "baselines.history": "A baseline is created, moved with its history, listed and deleted.",
    "baselines.protected": "A job that is a baseline can't be deleted.",
    "baselines.decide": "A run against a baseline passes equal results, and keeps the baseline if a score is worse.",
  }),
  ...rules("decide.md#budgets-and-plans", {
    "budgets.sent":
      "Requests that were never sent use nothing of a workspace's budget, and a launch without checks does not pass one that is used up.",
    "budgets.uncountable":
      "Unknown tokens are not 0: a job whose limited tokens or cost can't be counted fails instead of running on, and its cost is unknown.",
    "budgets.exact": "A job asks exactly as many rows as its budget allows, in all attempts together.",
    "budgets.time": "A job ends in time although its rows in flight hang.",
    "budgets.workspace": "The launch check fails while the budget of the workspace is reached, or a price is unknown.",
    "budgets.month": "The use by all workers is summed up over a month, and starts at 0 in the next one.",
    "plans.prices":
      "Prices of a job count in its plan, its cost and its max_cost, and not for the budget of its workspace.",
    "plans.asks-nothing": "A plan asks nothing but what the checks ask.",
    "plans.printed": "A run of more than 1,000 requests is announced with its estimate, here and on a server.",
  }),
  ...rules("decide.md#verdict-bundles", {
    "bundles.labels":
      "A bundle of a comparison as people would see it has their labels, without notes, and the comparison is computed again from them.",
    "bundles.corrected":
      "A bundle has the labels that metrics name, without notes, if corrected means follow from them, and the means are computed again.",
    "bundles.forged":
      "A signer can't add scores of turns or of unknown metrics, another seed, texts beside redacted tasks, or an earlier attempt behind a later one.",
    "bundles.recomputed":
      "A bundle is verified without a network by computing scores, readings of judges, aggregates, gates and the comparison again.",
    "bundles.bytes": "Each changed byte of a bundle is refused, or its place is named.",
    "bundles.never-valid": "A bundle is never valid without a trusted key, or without its rows.",
    "bundles.redacted": "A redacted bundle has no text, and its aggregates, gates and comparison are computed again.",
    "bundles.hostile": "A file that is not a bundle in its one form is refused within bounds of time and memory.",
  }),
  ...rules("decide.md#slices-and-noise", {
    "slices.false-marks": "Of sets without differences between slices, at most 5 in 100 get a mark.",
    "slices.worst": "A slice is named the worst only if it is worse by more than chance.",
    "noise.advice": "With repeats, a sentence says whether more rows or more repeats narrow the interval.",
  }),
]
