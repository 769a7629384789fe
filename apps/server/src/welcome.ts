import { DEFAULT_SERVER_URL } from "@assay/schemas"
import type { RunningServer } from "./serve.ts"

/** Returns the text that a person sees after the start: the URL, the data folder, and the first commands to try. */
export function welcome(
  { url, dataFolder, roles }: Pick<RunningServer, "url" | "dataFolder" | "roles">,
  assay: string,
): string {
  if (!roles.includes("api")) return welcomeWorker(url, dataFolder)
  const elsewhere = url === DEFAULT_SERVER_URL ? "" : `    export ASSAY_URL=${url}\n`
  return `
  Assay is ready.

    address      ${url}  (open it in a browser for the console)
    data folder  ${dataFolder}
    API          ${url}/docs

  Try in a second terminal:

${elsewhere}    ${assay} push ./some-folder default/first
    ${assay} ls default/first
    curl -g '${url}/apis/files/v2/workspaces/default/filesets?filter[name][$like]=fir'

  Ctrl-C stops it.
`
}

function welcomeWorker(url: string, dataFolder: string): string {
  return `
  Assay runs evaluation jobs.

    health       ${url}/health/ready
    metrics      ${url}/metrics
    data folder  ${dataFolder}

  Ctrl-C stops it. Another worker continues its jobs.
`
}
