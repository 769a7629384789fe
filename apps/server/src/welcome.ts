import type { RunningServer } from "./serve.ts"

/** What a person sees when the server has started: where it is, where its data are, and what to type first. */
export function welcome({ url, dataFolder }: RunningServer, assay: string): string {
  return `
  Assay is ready.

    address      ${url}
    data folder  ${dataFolder}
    API          ${url}/docs

  Try in a second terminal:

    ${assay} push ./some-folder default/first
    ${assay} ls default/first
    curl -g '${url}/apis/files/v2/workspaces/default/filesets?filter[name][$like]=fir'

  Ctrl-C stops it.
`
}
