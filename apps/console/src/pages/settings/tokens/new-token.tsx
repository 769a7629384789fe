import { ROLES, type CreatedToken, type Role, type Session } from "@assay/schemas"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { rightsOf } from "../../../api/use-session.ts"
import { useClient } from "../../../api/use-client.ts"
import { CodeBlock } from "../../../components/code-block.tsx"
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx"
import { NameField } from "../../../components/fields/name-field.tsx"
import { SelectField } from "../../../components/fields/select-field.tsx"

const DAY_S = 86_400
const VALIDITIES: readonly (readonly [number, string])[] = [
  [7 * DAY_S, "7 days"],
  [30 * DAY_S, "30 days"],
  [90 * DAY_S, "90 days"],
  [365 * DAY_S, "1 year"],
  [0, "No end"],
]
const DEFAULT_SECONDS = 90 * DAY_S

/** Renders the button and the form for a new token, and then the token itself, until it is closed. */
export function NewToken({ session }: { readonly session: Session }): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const workspaces = useOwnWorkspaces(session)
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>("viewer")
  const [chosen, setWorkspace] = useState<string>()
  const [seconds, setSeconds] = useState(DEFAULT_SECONDS)
  const [made, setMade] = useState<CreatedToken>()
  const workspace = chosen ?? workspaces[0] ?? ""
  return (
    <>
      <FormDialog
        help="concepts/security-model#tokens"
        label="New token"
        title="New token"
        send="Create"
        look="primary"
        onOpen={() => {
          setName("")
          setMade(undefined)
        }}
        onSend={async () => {
          const expiry = seconds === 0 ? {} : { expires_in: seconds }
          setMade(await client.tokens.create({ name, grants: [{ workspace, role }], ...expiry }))
          await queries.invalidateQueries({ queryKey: ["tokens"] })
        }}
      >
        <NameField value={name} onChange={setName} hint="Purpose of the token, such as laptop or ci" />
        <SelectField label="Role" choices={ROLES.map((one) => [one, one] as const)} value={role} onChange={setRole} />
        <SelectField
          label="Workspace"
          choices={workspaces.map((one) => [one, one === "*" ? "all workspaces" : one] as const)}
          value={workspace}
          onChange={setWorkspace}
        />
        <SelectField label="Valid for" choices={VALIDITIES} value={seconds} onChange={setSeconds} />
      </FormDialog>
      {made === undefined ? null : <ShownOnce made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

/** Returns the workspaces where the user is an admin; `*`, for all, comes after those with a name. */
function useOwnWorkspaces(session: Session): readonly string[] {
  const client = useClient()
  const { mayAdmin, mayAdminAll } = rightsOf(session)
  const { data } = useQuery({
    queryKey: ["workspaces", "names"],
    queryFn: ({ signal }) => client.workspaces.page({ page_size: 1000 }, { signal }),
  })
  const named = (data?.data ?? []).map(({ name }) => name).filter((name) => mayAdmin(name))
  return mayAdminAll ? [...named, "*"] : named
}

function ShownOnce({ made, onClose }: { readonly made: CreatedToken; readonly onClose: () => void }): ReactElement {
  return (
    <dialog
      ref={(dialog) => {
        if (dialog?.open === false) dialog.showModal()
      }}
      aria-label={`Token ${made.name}`}
      onClose={onClose}
    >
      <h2 dir="auto">{made.name}</h2>
      <p>Copy the token now: it is shown only once, and the server stores only a digest of it.</p>
      <CodeBlock text={made.token} label="token" />
      <p className="actions">
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </p>
    </dialog>
  )
}
