// The sign-in: address and password, the second factor if the account has one, or a passkey alone. Used as a page and,
// when a session has ended, over the page.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ApiProblem, call } from '../../api/call.ts';
import type { Session } from '../../api/session.tsx';
import { type AsyncTask, useAsyncTask } from '../../base/async-task.ts';
import { Button } from '../../parts/button.tsx';
import { bindFields, ErrorBox, TextField } from '../../parts/field.tsx';
import { hasPasskeys, PasskeyRefused, signInByPasskey } from './passkey.ts';
import { SignedOutForm } from './signed-out-form.tsx';
import { useSignInTexts } from './texts.ts';

type Login = { email: string; password: string };
type Factor = 'app' | 'recovery';

type SignInProps = {
  onEnter(session: Session): void;
  /** Over a page whose session has ended: no links that lead away. */
  isRenewal?: boolean;
};

type SignInAttempt = AsyncTask & { enter(open: () => Promise<{ session: Session | null }>): void };

function useSignIn(onEnter: SignInProps['onEnter']): SignInAttempt {
  const task = useAsyncTask();
  const enter: SignInAttempt['enter'] = (open) =>
    void task.run(async () => {
      const { session } = await open();
      if (session) onEnter(session);
    });
  return { ...task, enter };
}

const isFactorRequired = (fault: unknown) =>
  fault instanceof ApiProblem && fault.problem.code === 'second_factor_required';

/** The factors of the account beside the password, from the error. */
const factorsOf = (fault: unknown) =>
  fault instanceof ApiProblem ? fault.problem.errors.map(({ field }) => field) : [];

/** Too many wrong passwords: an emailed link still lets the owner of the account in. */
const isPaused = (fault: unknown) => fault instanceof ApiProblem && fault.problem.code === 'login_paused';

/** The message of an error, unless it is that of the API; false while only the second factor is missing. */
function useErrorMessage(fault: unknown): ComponentChildren {
  const texts = useSignInTexts();
  if (isFactorRequired(fault)) return false;
  if (!(fault instanceof PasskeyRefused)) return undefined;
  const text = fault.reason === 'unknown' ? texts.passkeyUnknown : texts.passkeyRefused;
  return <ErrorBox fault={fault}>{text}</ErrorBox>;
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
  factors: readonly string[];
  entering: SignInAttempt;
  isRenewal: boolean;
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

function SecondFactor({ login, factors, entering, isRenewal, onBack }: SecondFactorProps) {
  const texts = useSignInTexts();
  const hasApp = factors.includes('otp');
  const [factor, setFactor] = useState<Factor>(hasApp ? 'app' : 'recovery');
  const [code, setCode] = useState('');
  const swap = () => {
    setFactor(factor === 'app' ? 'recovery' : 'app');
    setCode('');
    entering.clearFault();
  };
  const submit = () => {
    const proof = factor === 'app' ? { otp: code.replace(/\s/g, '') } : { recoveryCode: code.trim() };
    entering.enter(async () => await call('signIn', { body: { ...login, ...proof } }));
  };
  return (
    <SignedOutForm
      // Over a page, the title of the page is that of the dialog.
      title={isRenewal ? <h3>{texts.secondTitle}</h3> : texts.secondTitle}
      lead={texts.secondLead}
      action={texts.signIn}
      task={entering}
      errorMessage={useErrorMessage(entering.fault)}
      focusKey={factor}
      onSubmit={submit}
      below={
        <>
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
        </>
      }
    >
      <CodeField factor={factor} code={code} onInput={setCode} />
    </SignedOutForm>
  );
}

type PasswordProps = {
  login: Login;
  onInput(login: Login): void;
  entering: SignInAttempt;
  isRenewal: boolean;
};

function PasswordForm({ login, onInput, entering, isRenewal }: PasswordProps) {
  const texts = useSignInTexts();
  const { fault } = entering;
  const message = useErrorMessage(fault);
  const field = bindFields(login, (part) => onInput({ ...login, ...part }), {});
  const paused = isPaused(fault) && (
    <ErrorBox fault={fault}>
      <p>{texts.paused}</p>
      {!isRenewal && <Link href="/forgotten">{texts.pausedLink}</Link>}
    </ErrorBox>
  );
  return (
    <SignedOutForm
      title={isRenewal ? null : texts.signIn}
      action={texts.signIn}
      task={entering}
      errorMessage={paused || message}
      onSubmit={() => entering.enter(async () => await call('signIn', { body: login }))}
      below={
        <>
          {hasPasskeys() && <p class="or quiet small">{texts.or}</p>}
          {hasPasskeys() && <Passkey entering={entering} />}
          {!isRenewal && <Link href="/forgotten">{texts.forgotten}</Link>}
        </>
      }
    >
      <TextField {...field('email')} label={texts.email} type="email" autoComplete="username" required />
      <TextField
        {...field('password')}
        label={texts.password}
        type="password"
        autoComplete="current-password"
        required
      />
    </SignedOutForm>
  );
}

export function SignIn({ onEnter, isRenewal = false }: SignInProps) {
  const [login, setLogin] = useState<Login>({ email: '', password: '' });
  const [factors, setFactors] = useState<readonly string[] | null>(null);
  const entering = useSignIn(onEnter);
  if (isFactorRequired(entering.fault) && !factors) setFactors(factorsOf(entering.fault));
  if (!factors)
    return <PasswordForm login={login} onInput={setLogin} entering={entering} isRenewal={isRenewal} />;
  const back = () => {
    entering.clearFault();
    setFactors(null);
  };
  return (
    <SecondFactor login={login} factors={factors} entering={entering} isRenewal={isRenewal} onBack={back} />
  );
}
