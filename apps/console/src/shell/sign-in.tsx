import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { SESSION_KEY } from "../api/use-session.ts"
import { useClient } from "../api/use-client.ts"
import { CodeBlock } from "../components/code-block.tsx"
import { ErrorCard } from "../components/failures/error-card.tsx"
import { PageHeader } from "../components/page-header.tsx"

export interface SignInProps {
  /** Whether the user was signed in before. */
  readonly hasEnded: boolean
}

/** Asks for a token, which the server exchanges for a cookie. Nothing of it stays in this page. The address stays. */
export function SignIn({ hasEnded }: SignInProps): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [token, setToken] = useState("")
  const signIn = useMutation({
    mutationFn: () => client.service.signIn({ token: token.trim() }),
    onSuccess: (session) => {
      setToken("")
      // The next user may see less than the one before.
      queries.removeQueries({ type: "inactive" })
      queries.setQueryData(SESSION_KEY, session)
    },
  })
  return (
    <>
      <PageHeader title="Sign in">
        {hasEnded ? "Your session has ended. After the next sign-in, this page shows what it showed." : null}
      </PageHeader>
      <form
        className="card sign-in"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <label className="field">
          Token
          <input
            type="password"
            required
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        {signIn.error === null ? null : <ErrorCard error={signIn.error} />}
        <p className="actions">
          <button type="submit" className="primary" disabled={signIn.isPending}>
            Sign in
          </button>
        </p>
        <p className="soft">A token is made on the machine of the server:</p>
        <CodeBlock label="command" text="assay token create laptop --role editor --workspace default" />
      </form>
    </>
  )
}
