/** Loads the package that reads the contents of files, for the first request that needs it. It would slow down the start. */
export const loadContents = () => import("@assay/contents")
