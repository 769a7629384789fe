/** The package that runs evaluations: loaded by the first request that needs it, so that a server starts without. */
export const loadEvaluation = () => import("@assay/evaluation")
