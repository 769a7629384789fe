/** Returns the address of a dataset that is written as `workspace/fileset#path`. */
export function filesUrl(dataset: string): string {
  const [fileset = "", path = ""] = dataset.split("#")
  return `assay://datasets/${fileset}${path === "" ? "" : `/${path}`}`
}
