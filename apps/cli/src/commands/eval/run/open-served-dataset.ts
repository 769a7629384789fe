import {
  openFilesetDataset,
  parseFilesUrl,
  type DatasetOptions,
  type FilesUrl,
  type OpenedDataset,
} from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import { openFilesetStorage } from "../../../fileset-storage.ts"
import { openClient } from "../../../open-client.ts"

/** The row files of a fileset of the server that ASSAY_URL names. @throws `dataset_format`, `dataset_missing`, `datastore_unreachable` */
export function openServedDataset(
  context: Context,
  dataset: FilesUrl | string,
  namespace: string,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const client = openClient(context)
  const { signal } = context
  return openFilesetDataset(
    typeof dataset === "string" ? parseFilesUrl(dataset, namespace) : dataset,
    {
      getFileset: (workspace, name) => client.filesets.get(workspace, name, { signal }),
      openStorage: async (workspace, name) =>
        openFilesetStorage(client, await client.filesets.get(workspace, name, { signal })),
    },
    options,
  )
}
