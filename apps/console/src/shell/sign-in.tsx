import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState, type ReactElement } from "react"
import { SESSION_KEY } from "../api/use-session.ts"
import { useClient } from "../api/use-client.ts"
import { CodeBlock } from "../components/code-block.tsx"
import { ErrorCard } from "../components/failures/error-card.tsx"
import { PageHeader } from "../components/page-header.tsx"

/** Asks for a token, which the server exchanges for a cookie. Nothing of it stays in this page. */
export function SignIn(): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const [token, setToken] = useState("")
  const signIn = useMutation({
    mutationFn: () => client.service.signIn({ token: token.trim() }),
    onSuccess: async (session) => {
      setToken("")
      queries.setQueryData(SESSION_KEY, session)
      await queries.invalidateQueries()
    },
  })
  return (
    <>
      <PageHeader title="Sign in" />
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
