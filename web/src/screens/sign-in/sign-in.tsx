// The sign-in: address and password, the second factor if the account has one, or a passkey alone. Used as a page and,
// when a session has ended, over the page.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiProblem, call } from '../../api/call.ts';
import type { Session } from '../../api/session.tsx';
import { type AsyncTask, useAsyncTask } from '../../base/async-task.ts';
import { useFirstFocus } from '../../base/first-focus.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorBox, FormError, TextField } from '../../parts/field.tsx';
import { hasPasskeys, PasskeyRefused, signInByPasskey } from './passkey.ts';
import { SignedOutTitle } from './signed-out-title.tsx';
import { useSignInTexts } from './texts.ts';

type Login = { email: string; password: string };
type Factor = 'app' | 'recovery';

export type SignInProps = {
  onEnter(session: Session): void;
  /** Over a page whose session has ended: no links that lead away. */
  isAgain?: boolean;
};

type SignInAttempt = AsyncTask & { enter(open: () => Promise<{ session: Session | null }>): void };

/** Opens a session, and stores why it failed. */
function useSignIn(onEnter: SignInProps['onEnter']): SignInAttempt {
  const work = useAsyncTask();
  const enter: SignInAttempt['enter'] = (open) =>
    void work.run(async () => {
      const { session } = await open();
      if (session) onEnter(session);
    });
  return { ...work, enter };
}

const isFactorAsked = (fault: unknown) =>
  fault instanceof ApiProblem && fault.problem.code === 'second_factor_required';

/** The factors of the account beside the password, from the error. */
const factorsOf = (fault: unknown) =>
  fault instanceof ApiProblem ? fault.problem.errors.map(({ field }) => field) : [];

/** Too many wrong passwords: an emailed link still lets the owner of the account in. */
const isPaused = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'login_paused';

function Fault({ fault }: { fault: unknown }) {
  const texts = useSignInTexts();
  if (!(fault instanceof PasskeyRefused)) return <FormError fault={fault} />;
  return (
    <ErrorBox fault={fault}>
      <p>{fault.why === 'unknown' ? texts.passkeyUnknown : texts.passkeyRefused}</p>
    </ErrorBox>
  );
}

/** On its own, the title is that of the page; over a page, that of the dialog. */
function Title({ title, isAgain }: { title: string; isAgain: boolean }) {
  return isAgain ? <h3>{title}</h3> : <SignedOutTitle title={title} takesFocus={false} />;
}

function Passkey({ entering }: { entering: SignInAttempt }) {
  const texts = useSignInTexts();
  return (
    <Button onClick={() => entering.enter(signInByPasskey)} isWorking={entering.isWorking}>
      {texts.passkey}
    </Button>
  );
}

type SecondFactorProps = {
  login: Login;
  /** The factors of the account, by their API names. */
  factors: readonly string[];
  entering: SignInAttempt;
  isAgain: boolean;
  onBack(): void;
};

function CodeField(props: { factor: Factor; code: string; onInput(code: string): void }) {
  const texts = useSignInTexts();
  const { factor, code, onInput } = props;
  const isApp = factor === 'app';
  return (
    <TextField
      key={factor}
      label={isApp ? texts.otp : texts.recoveryCode}
      hint={isApp ? texts.otpHint : texts.recoveryHint}
      value={code}
      onInput={onInput}
      autoComplete={isApp ? 'one-time-code' : 'off'}
      autoCapitalize="none"
      spellcheck={false}
      inputMode={isApp ? 'numeric' : 'text'}
      required
    />
  );
}

function SecondFactor({ login, factors, entering, isAgain, onBack }: SecondFactorProps) {
  const texts = useSignInTexts();
  const hasApp = factors.includes('otp');
  const [factor, setFactor] = useState<Factor>(hasApp ? 'app' : 'recovery');
  const [code, setCode] = useState('');
  const form = useFirstFocus(factor);
  const swap = () => {
    setFactor(factor === 'app' ? 'recovery' : 'app');
    setCode('');
    entering.forget();
  };
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const proof = factor === 'app' ? { otp: code.replace(/\s/g, '') } : { recoveryCode: code.trim() };
        entering.enter(async () => await call('signIn', { body: { ...login, ...proof } }));
      }}
    >
      <Title title={texts.secondTitle} isAgain={isAgain} />
      <p>{texts.secondLead}</p>
      <Fault fault={isFactorAsked(entering.fault) ? null : entering.fault} />
      <CodeField factor={factor} code={code} onInput={setCode} />
      <Button type="submit" weight="main" isWorking={entering.isWorking}>
        {texts.signIn}
      </Button>
      {factors.includes('passkey') && hasPasskeys() && <Passkey entering={entering} />}
      <div class="actions">
        {hasApp && (
          <Button weight="bare" onClick={swap}>
            {factor === 'app' ? texts.useRecovery : texts.useApp}
          </Button>
        )}
        <Button weight="bare" onClick={onBack}>
          {texts.backToPassword}
        </Button>
      </div>
    </form>
  );
}

type PasswordProps = {
  login: Login;
  onInput(login: Login): void;
  entering: SignInAttempt;
  isAgain: boolean;
};

function PasswordForm({ login, onInput, entering, isAgain }: PasswordProps) {
  const texts = useSignInTexts();
  const form = useFirstFocus();
  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        entering.enter(async () => await call('signIn', { body: login }));
      }}
    >
      {!isAgain && <SignedOutTitle title={texts.title} takesFocus={false} />}
      {isPaused(entering.fault) ? (
        <ErrorBox fault={entering.fault}>
          <p>{texts.paused}</p>
          {!isAgain && <Link href="/forgotten">{texts.pausedLink}</Link>}
        </ErrorBox>
      ) : (
        <Fault fault={isFactorAsked(entering.fault) ? null : entering.fault} />
      )}
      <TextField
        label={texts.email}
        type="email"
        autoComplete="username"
        value={login.email}
        onInput={(email) => onInput({ ...login, email })}
        required
      />
      <TextField
        label={texts.password}
        type="password"
        autoComplete="current-password"
        value={login.password}
        onInput={(password) => onInput({ ...login, password })}
        required
      />
      <Button type="submit" weight="main" isWorking={entering.isWorking}>
        {texts.signIn}
      </Button>
      {hasPasskeys() && (
        <>
          <p class="or quiet small">{texts.or}</p>
          <Passkey entering={entering} />
        </>
      )}
      {!isAgain && <Link href="/forgotten">{texts.forgotten}</Link>}
    </form>
  );
}

/** The form. */
export function SignIn({ onEnter, isAgain = false }: SignInProps) {
  const [login, setLogin] = useState<Login>({ email: '', password: '' });
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  const entering = useSignIn(onEnter);
  if (isFactorAsked(entering.fault) && !asked) setAsked(factorsOf(entering.fault));
  if (!asked) return <PasswordForm login={login} onInput={setLogin} entering={entering} isAgain={isAgain} />;
  const back = () => {
    entering.forget();
    setAsked(null);
  };
  return <SecondFactor login={login} factors={asked} entering={entering} isAgain={isAgain} onBack={back} />;
}
