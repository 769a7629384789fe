/** Loads the package that asks judges, for the first request that needs it. It would slow down the start. */
export const loadGuardrails = () => import("@assay/guardrails")
