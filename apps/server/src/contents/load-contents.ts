/** The package that reads what is inside files: loaded by the first request that needs it, so that a server starts without. */
export const loadContents = () => import("@assay/contents")
