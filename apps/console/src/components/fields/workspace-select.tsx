import { useQuery } from "@tanstack/react-query"
import { useId, type ReactElement } from "react"
import { useClient } from "../../api/use-client.ts"
import { useSearchValue } from "../use-search-value.ts"

/** Maximum number of workspaces in the list. The address can name any other. */
const OFFERED = 1000
const DEFAULT_WORKSPACE = "default"

/** Returns the workspace that the address names, or else the given one, and the function that changes it. */
export function useWorkspace(otherwise = DEFAULT_WORKSPACE): readonly [string, (workspace: string) => void] {
  const [workspace = otherwise, update] = useSearchValue("workspace")
  return [workspace, update]
}

/** Renders the choice of the workspace that a page shows. @param props.otherwise the one of an address without a choice */
export function WorkspaceSelect({ otherwise }: { readonly otherwise?: string | undefined }): ReactElement {
  const client = useClient()
  const id = useId()
  const [workspace, update] = useWorkspace(otherwise)
  const { data } = useQuery({
    queryKey: ["workspaces", "names"],
    queryFn: ({ signal }) => client.workspaces.page({ page_size: OFFERED }, { signal }),
  })
  const names = data?.data.map(({ name }) => name) ?? []
  return (
    <span className="actions workspace">
      <label htmlFor={id}>Workspace</label>
      <select id={id} value={workspace} onChange={({ target }) => update(target.value)}>
        {(names.includes(workspace) ? names : [workspace, ...names]).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
