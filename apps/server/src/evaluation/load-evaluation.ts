/** Loads the package that runs evaluations, with the first request that needs it: a server starts without it. */
export const loadEvaluation = () => import("@assay/evaluation")
