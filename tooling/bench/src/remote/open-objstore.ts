import { openStorage, type Storage } from "@assay/storage"
import { remoteContext } from "./remote-context.ts"

/** Opens the adapter on the bucket of the fake object store at `endpoint`. */
export async function openObjstore(endpoint: string): Promise<Storage> {
  const { storage } = await openStorage(
    {
      type: "objstore",
      bucket: "files",
      endpoint_url: endpoint,
      region: "us-east-1",
      access_key_id_secret: "id",
      secret_access_key_secret: "key",
    },
    { remote: remoteContext() },
  )
  return storage
}
