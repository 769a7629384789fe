import type { ReactElement } from "react"
import { useRights, useSession } from "../../../api/use-session.ts"
import { CodeBlock } from "../../../components/code-block.tsx"
import { Loading } from "../../../components/loading.tsx"
import { NotAllowed } from "../../../components/failures/not-allowed.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { NewToken } from "./new-token.tsx"
import { TokenTable } from "./token-table.tsx"

/** Lists the tokens that the user may manage, and creates and revokes them. */
export function TokensPage(): ReactElement {
  const session = useSession()
  const { mayAdmin } = useRights()
  const hasAuth = session !== undefined && session.auth !== "off"
  const isManaged = hasAuth && mayAdmin()
  return (
    <>
      <PageHeader
        help="concepts/security-model#tokens"
        title="Tokens"
        actions={isManaged ? <NewToken session={session} /> : null}
      >
        Programs and browsers identify themselves by tokens. A revoked token stops working at once, with every session
        that it opened.
      </PageHeader>
      {session === undefined ? <Loading /> : null}
      {session?.auth === "off" ? <AuthIsOff /> : null}
      {hasAuth && !mayAdmin() ? (
        <NotAllowed needs="admin">Tokens give rights, so only admins of a workspace manage them.</NotAllowed>
      ) : null}
      {isManaged ? <TokenTable own={session.token} /> : null}
      <section className="card">
        <h2>Roles</h2>
        <dl className="facts">
          <dt>viewer</dt>
          <dd>reads</dd>
          <dt>editor</dt>
          <dd>also writes, launches jobs, and uses secrets by reference</dd>
          <dt>admin</dt>
          <dd>also manages secrets, workspaces, configurations and the tokens of the workspace</dd>
        </dl>
      </section>
    </>
  )
}

function AuthIsOff(): ReactElement {
  return (
    <section className="card">
      <h2>This server asks for no tokens</h2>
      <p>
        Everyone on its machine may do everything, and nobody else reaches it. Create a token for an admin, then start
        the server with this setting.
      </p>
      <CodeBlock text="assay token create laptop --role admin --workspace '*'" label="command that creates a token" />
      <CodeBlock text="ASSAY_AUTH=tokens assay serve" label="command that starts the server with tokens" />
    </section>
  )
}
