// The balances of the ledger, as a sum that a merchant can follow, and the entries behind it. Balances come from the
// API. Here only their signs change to match the labels.

import type { OperationResponse } from '../../api/call.ts';
import { useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatCurrencyName } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { LinkButton } from '../../parts/button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { EmptyState, QueryContent } from '../../parts/states.tsx';
import { Money } from '../../parts/values.tsx';
import './balances.css';
import { Ledger } from './ledger.tsx';
import { useBalancesTexts } from './texts.ts';

type Balance = OperationResponse<'listBalances'>['data'][number];
type LedgerAccountName = Balance['account'];

/** The negated amount, without a minus before zero. */
const negated = (amount: number) => (amount === 0 ? 0 : -amount);

/** The accounts beside that of the processors. The last two are omitted while they are empty. */
const accounts = ['merchant', 'refunds', 'suspense', 'fees'] as const;
const alwaysShown: readonly LedgerAccountName[] = ['merchant', 'refunds'];

type LineProps = { name: string; hint: string; amount: number; currency: string; isSum?: boolean };

function Line({ name, hint, amount, currency, isSum = false }: LineProps) {
  return (
    <div class={isSum ? 'account account-sum' : 'account'}>
      <dt>
        <span class="strong">{name}</span>
        <span class="quiet small">{hint}</span>
      </dt>
      <dd>
        <Money amount={amount} currency={currency} />
      </dd>
    </div>
  );
}

/** Debits are what the processors owe. Every other account explains the other side. */
function Currency({ currency, balances }: { currency: string; balances: readonly Balance[] }) {
  const { language } = useLanguage();
  const texts = useBalancesTexts();
  const of = (account: LedgerAccountName) => balances.find((one) => one.account === account)?.balance ?? 0;
  const shown = accounts.filter((account) => alwaysShown.includes(account) || of(account) !== 0);
  return (
    <Section title={`${formatCurrencyName(language, currency)} (${currency})`}>
      <dl class="accounts">
        {shown.map((account) => (
          <Line key={account} {...texts.lines[account]} currency={currency} amount={negated(of(account))} />
        ))}
        <Line {...texts.lines.processor} currency={currency} amount={of('processor')} isSum />
      </dl>
    </Section>
  );
}

function NoBalances() {
  const { may } = useSession();
  const texts = useBalancesTexts();
  return (
    <Section>
      <EmptyState title={texts.none} hint={texts.noneHint}>
        {may('payments:create') && <LinkButton to="/payments/new">{texts.newLink}</LinkButton>}
      </EmptyState>
    </Section>
  );
}

/** Balances and ledger. */
export default function Balances() {
  const texts = useBalancesTexts();
  const balances = useApiQuery('listBalances', {});
  return (
    <Page title={texts.title}>
      <QueryContent result={balances} rows={6}>
        {({ data }) => {
          if (data.length === 0) return <NoBalances />;
          const currencies = [...new Set(data.map(({ currency }) => currency))];
          return (
            <>
              <div class="columns">
                {currencies.map((currency) => (
                  <Currency
                    key={currency}
                    currency={currency}
                    balances={data.filter((one) => one.currency === currency)}
                  />
                ))}
              </div>
              <Ledger />
            </>
          );
        }}
      </QueryContent>
    </Page>
  );
}
