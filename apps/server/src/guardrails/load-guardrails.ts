/** The package that asks judges: loaded by the first request that needs it, so that a server starts without. */
export const loadGuardrails = () => import("@assay/guardrails")
