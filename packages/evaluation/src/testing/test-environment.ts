import { AssayError } from "@assay/schemas"
import { parseFilesUrl } from "../datasets/files-url.ts"
import { openFilesetDataset } from "../datasets/open-fileset-dataset.ts"
import type { JobEnvironment } from "../job-environment.ts"
import type { FolderDatastore } from "./folder-datastore.ts"
import { scoringEnvironment } from "@assay/scoring/testing"

/** Creates an environment over the folders of a datastore, with fixed times and with waits of one millisecond. */
export function testEnvironment(datastore?: FolderDatastore, over: Partial<JobEnvironment> = {}): JobEnvironment {
  return {
    ...scoringEnvironment(),
    async openDataset(dataset) {
      if (datastore === undefined) throw new AssayError("dataset_missing", "This test has no datasets.")
      return openFilesetDataset(
        typeof dataset === "string" ? parseFilesUrl(dataset, "default") : dataset,
        datastore.source,
      )
    },
    workFolder: "/nowhere",
    ...over,
  }
}
