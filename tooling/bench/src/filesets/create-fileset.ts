/** Creates a fileset in the workspace `default`, on the given storage or the default one, and returns its URL. */
export async function createFileset(server: string, name: string, storage?: object): Promise<string> {
  const filesets = `${server}/apis/files/v2/workspaces/default/filesets`
  await post(filesets, storage === undefined ? { name } : { name, storage })
  return `${filesets}/${name}`
}

/** Creates the secrets for the fake object store. */
export async function createFakeSecrets(server: string): Promise<void> {
  const secrets = `${server}/apis/secrets/v2/workspaces/default/secrets`
  await post(secrets, { name: "id", value: "fake-access-key" })
  await post(secrets, { name: "key", value: "fake-secret-key" })
}

/** Returns the storage of a fake bucket at an address, which the server must allow. */
export function fakeBucket(endpoint_url: string): object {
  const secrets = { access_key_id_secret: "id", secret_access_key_secret: "key" }
  return { type: "objstore", bucket: "files", endpoint_url, region: "us-east-1", ...secrets }
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}
