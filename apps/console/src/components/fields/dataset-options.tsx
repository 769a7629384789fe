import { useQuery } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { useClient } from "../../api/use-client.ts"

/** Renders the datasets that a field offers, as `workspace/fileset`. The field names `id` as its `list`. */
export function DatasetOptions({ id }: { readonly id: string }): ReactElement {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ["filesets", "datasets"],
    queryFn: ({ signal }) => client.filesets.page("-", { filter: 'purpose:"dataset"', page_size: 100 }, { signal }),
  })
  return (
    <datalist id={id}>
      {data?.data.map(({ id: fileset, workspace, name }) => (
        <option key={fileset}>{`${workspace}/${name}`}</option>
      ))}
    </datalist>
  )
}
