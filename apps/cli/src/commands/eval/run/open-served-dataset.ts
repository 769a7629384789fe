import { openFilesetDataset, parseFilesUrl, type DatasetOptions, type OpenedDataset } from "@assay/evaluation"
import type { Context } from "../../../context.ts"
import { openFilesetStorage } from "../../../fileset-storage.ts"
import { openClient } from "../../../open-client.ts"

/** The row files of a fileset of the server that ASSAY_URL names. @throws `dataset_format`, `dataset_missing`, `datastore_unreachable` */
export function openServedDataset(
  context: Context,
  filesUrl: string,
  namespace: string,
  options: DatasetOptions = {},
): Promise<OpenedDataset> {
  const client = openClient(context)
  const { signal } = context
  return openFilesetDataset(
    parseFilesUrl(filesUrl, namespace),
    {
      getFileset: (workspace, name) => client.filesets.get(workspace, name, { signal }),
      openStorage: async (workspace, name) =>
        openFilesetStorage(client, await client.filesets.get(workspace, name, { signal })),
    },
    options,
  )
}
