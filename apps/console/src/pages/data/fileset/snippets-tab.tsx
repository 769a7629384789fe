import type { Fileset } from "@assay/schemas"
import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { CodeBlock } from "../../../components/code-block.tsx"

/** Number of files among which one with rows is an example. */
const LOOKED_AT = 1000

/** Shows how programs get the files: the command line, curl, hub clients, DuckDB. */
export function SnippetsTab({ fileset: { workspace, name, purpose } }: { readonly fileset: Fileset }): ReactElement {
  const { url, files } = useClient()
  const { data } = useQuery({
    queryKey: ["files", workspace, name, "first"],
    queryFn: async ({ signal }) => (await files.page(workspace, name, { limit: LOOKED_AT }, { signal })).data,
  })
  const file = data?.[0]
  const path = file?.path ?? "PATH"
  const address = `${url}${file?.file_url ?? `/apis/files/v2/workspaces/${workspace}/filesets/${name}/-/PATH`}`
  const kind = purpose === "model" ? "" : ' repo_type="dataset",'
  const type = purpose === "model" ? "" : " --repo-type dataset"
  const rows = data?.find((one) => /\.(?:parquet|csv|jsonl)$/iu.test(one.path))
  const reader =
    rows?.path.endsWith(".csv") === true
      ? "read_csv"
      : rows?.path.endsWith(".jsonl") === true
        ? "read_json"
        : "read_parquet"
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return (
    <div className="columns">
      <section>
        <h2>Command line</h2>
        <CodeBlock
          label="commands"
          text={`assay ls ${workspace}/${name}\nassay pull ${workspace}/${name} ./${name}\nassay push ./some-folder ${workspace}/${name}`}
        />
        <h2>curl</h2>
        <CodeBlock label="curl" text={`curl -O ${quoted(address)}\ncurl -H 'Range: bytes=0-1023' ${quoted(address)}`} />
      </section>
      <section>
        <h2>Hub clients</h2>
        <CodeBlock
          label="Python for hub clients"
          text={`export HF_ENDPOINT=${url}/apis/files/v2/hf\nhf download ${workspace}/${name}${type}\n\nfrom huggingface_hub import hf_hub_download\nhf_hub_download("${workspace}/${name}",${kind} filename=${JSON.stringify(path)})`}
        />
        <h2>DuckDB</h2>
        <CodeBlock
          label="SQL for DuckDB"
          text={`SELECT * FROM ${reader}('${(rows === undefined ? address : `${url}${rows.file_url}`).replaceAll("'", "''")}') LIMIT 10;`}
        />
      </section>
    </div>
  )
}
