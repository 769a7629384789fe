import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { ReactElement } from "react"
import { forgetDrafts } from "../api/drafts.ts"
import { useSession } from "../api/use-session.ts"
import { useClient } from "../api/use-client.ts"
import { Menu } from "../components/menu.tsx"
import { useNotify } from "../components/notices.tsx"

/** Shows who is signed in with which rights, and signs out. Nothing where the server has no auth. */
export function Account(): ReactElement | null {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const session = useSession()
  const signOut = useMutation({
    mutationFn: () => client.service.signOut(),
    // No data may be left for the next user.
    onSuccess: () => {
      forgetDrafts()
      return queries.resetQueries()
    },
    onError: (error) => notify(`You are still signed in: ${error.message}`),
  })
  if (session === undefined || session.auth === "off" || !session.signed_in) return null
  return (
    <Menu label={session.grants[0]?.role ?? "signed in"}>
      {session.user === null ? <p className="mono">{session.token}</p> : <p>{session.user.name}</p>}
      <ul className="grants">
        {session.grants.map(({ workspace, role }) => (
          <li key={`${workspace} ${role}`}>
            {role} in {workspace === "*" ? "all workspaces" : workspace}
          </li>
        ))}
      </ul>
      <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </button>
    </Menu>
  )
}
