/** Makes a fileset in the workspace `default` and answers with its URL. */
export async function createFileset(server: string, name: string): Promise<string> {
  const filesets = `${server}/apis/files/v2/workspaces/default/filesets`
  const response = await fetch(filesets, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
  return `${filesets}/${name}`
}
