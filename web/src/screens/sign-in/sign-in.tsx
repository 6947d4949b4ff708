// Signing in: address and password, the second factor where the account has one, or a passkey alone. Used as a page and,
// when a session has ended, over the page.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiProblem, call } from '../../api/call.ts';
import type { Session } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { FormFault, TextField } from '../../parts/field.tsx';
import { hasPasskeys, PasskeyRefused, signInByPasskey } from './passkey.ts';
import { useSignInTexts } from './texts.ts';

type Login = { email: string; password: string };
type Factor = 'app' | 'recovery';

export type SignInProps = {
  onEnter(session: Session): void;
  /** Over a page whose session has ended: nothing there that leads away. */
  isAgain?: boolean;
};

/** Sends a sign-in, and keeps what came of it. */
function useSending(onEnter: SignInProps['onEnter']) {
  const [fault, setFault] = useState<unknown>(null);
  const [isWorking, setIsWorking] = useState(false);
  const send = async (work: () => Promise<{ session: Session | null }>) => {
    setIsWorking(true);
    setFault(null);
    try {
      const { session } = await work();
      if (session) onEnter(session);
    } catch (refusal) {
      setFault(refusal);
    } finally {
      setIsWorking(false);
    }
  };
  return { fault, setFault, isWorking, send };
}

const isFactorAsked = (fault: unknown) =>
  fault instanceof ApiProblem && fault.problem.code === 'second_factor_required';

/** Which factors beside the password the account has, by the refusal. */
const hasApp = (fault: unknown) =>
  fault instanceof ApiProblem && fault.problem.errors.some(({ field }) => field === 'otp');

function SecondFactor(props: {
  login: Login;
  first: Factor;
  sending: ReturnType<typeof useSending>;
  onBack(): void;
}) {
  const { login, sending, onBack } = props;
  const texts = useSignInTexts();
  const [factor, setFactor] = useState<Factor>(props.first);
  const [code, setCode] = useState('');
  const swap = () => {
    setFactor(factor === 'app' ? 'recovery' : 'app');
    setCode('');
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const proof = factor === 'app' ? { otp: code.replace(/\s/g, '') } : { recoveryCode: code.trim() };
        void sending.send(async () => await call('signIn', { body: { ...login, ...proof } }));
      }}
    >
      <h1>{texts.secondTitle}</h1>
      <FormFault fault={isFactorAsked(sending.fault) ? null : sending.fault} />
      <TextField
        key={factor}
        label={factor === 'app' ? texts.otp : texts.recoveryCode}
        hint={factor === 'app' ? texts.otpHint : undefined}
        value={code}
        onInput={setCode}
        autoComplete="one-time-code"
        inputMode={factor === 'app' ? 'numeric' : 'text'}
        autoFocus
        required
      />
      <Button type="submit" weight="main" isWorking={sending.isWorking}>
        {texts.signIn}
      </Button>
      <div class="actions">
        <Button weight="bare" onClick={swap}>
          {factor === 'app' ? texts.useRecovery : texts.useApp}
        </Button>
        <Button weight="bare" onClick={onBack}>
          {texts.backToPassword}
        </Button>
      </div>
    </form>
  );
}

function Passkey({ sending }: { sending: ReturnType<typeof useSending> }) {
  const texts = useSignInTexts();
  return (
    <Button onClick={() => void sending.send(signInByPasskey)} isWorking={sending.isWorking}>
      {texts.passkey}
    </Button>
  );
}

/** The form. */
export function SignIn({ onEnter, isAgain = false }: SignInProps) {
  const texts = useSignInTexts();
  const [login, setLogin] = useState<Login>({ email: '', password: '' });
  const [asked, setAsked] = useState<Factor | null>(null);
  const sending = useSending(onEnter);
  if (isFactorAsked(sending.fault) && !asked) setAsked(hasApp(sending.fault) ? 'app' : 'recovery');
  if (asked) {
    const back = () => {
      sending.setFault(null);
      setAsked(null);
    };
    return <SecondFactor login={login} first={asked} sending={sending} onBack={back} />;
  }
  const isRefused = sending.fault instanceof PasskeyRefused;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send(async () => await call('signIn', { body: login }));
      }}
    >
      {!isAgain && <h1>{texts.title}</h1>}
      {isRefused ? <p role="alert">{texts.passkeyRefused}</p> : <FormFault fault={sending.fault} />}
      <TextField
        label={texts.email}
        type="email"
        autoComplete="username"
        value={login.email}
        onInput={(email) => setLogin({ ...login, email })}
        required
      />
      <TextField
        label={texts.password}
        type="password"
        autoComplete="current-password"
        value={login.password}
        onInput={(password) => setLogin({ ...login, password })}
        required
      />
      <Button type="submit" weight="main" isWorking={sending.isWorking}>
        {texts.signIn}
      </Button>
      {hasPasskeys() && <Passkey sending={sending} />}
      {!isAgain && <Link href="/forgotten">{texts.forgotten}</Link>}
    </form>
  );
}
