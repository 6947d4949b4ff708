// The balances of the ledger, as a sum that a merchant can follow, and the entries behind it. Balances come from the
// API. Here only their signs change to match the labels.

import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { endOfDay, startOfDay } from '../../base/days.ts';
import { formatCurrencyName } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { useUrlState } from '../../base/url-state.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import { type Choice, DayRange, SelectField } from '../../parts/field.tsx';
import { EmptyState, Page, QueryContent, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { Moment, Money, PaymentLink } from '../../parts/values.tsx';
import { useBalancesTexts } from './texts.ts';
import './balances.css';

type Entry = OperationResponse<'listLedgerEntries'>['data'][number];
type Sort = '' | 'createdAt';

function useColumns(): Column<Entry>[] {
  const texts = useBalancesTexts();
  return useNamedColumns(texts, {
    date: ({ createdAt }) => <Moment at={createdAt} />,
    what: ({ kind, debitAccount, creditAccount }) => (
      <span class="stacked">
        <span>{texts.kinds[kind]}</span>
        <span class="quiet small">
          {texts.sides({ debit: texts.accounts[debitAccount], credit: texts.accounts[creditAccount] })}
        </span>
      </span>
    ),
    payment: ({ paymentLinkCode }) => <PaymentLink code={paymentLinkCode} />,
    source: ({ sourceId }) => <span class="mono quiet">{sourceId}</span>,
    // The change of what the processors owe.
    amount: ({ amount, currency, creditAccount }) => (
      <Money amount={creditAccount === 'processor' ? -amount : amount} currency={currency} />
    ),
  });
}

function Filters({ from, to, sort }: { from: string; to: string; sort: Sort }) {
  const texts = useBalancesTexts();
  const [, change] = useUrlState();
  const choices: Choice<Sort>[] = [
    { value: '', label: texts.newestFirst },
    { value: 'createdAt', label: texts.oldestFirst },
  ];
  return (
    <div class="filters">
      <DayRange {...{ from, to }} onInput={change} />
      <SelectField
        label={texts.sort}
        value={sort}
        choices={choices}
        onInput={(next) => change({ sort: next })}
      />
      {(from || to) && <Button onClick={() => change({ from: '', to: '' })}>{texts.clear}</Button>}
    </div>
  );
}

function Ledger() {
  const texts = useBalancesTexts();
  const [values] = useUrlState();
  const { from = '', to = '' } = values;
  const sort = values.sort === 'createdAt' ? 'createdAt' : '';
  const query = {
    createdFrom: startOfDay(from),
    createdTo: endOfDay(to),
    sort: sort ? 'createdAt' : '-createdAt',
  } as const;
  const list = useApiList('listLedgerEntries', { query }, { keepsPrevious: true });
  return (
    <Section title={texts.ledger} hint={texts.ledgerHint}>
      <Filters {...{ from, to, sort }} />
      <div class="ledger" aria-busy={list.isPlaceholderData}>
        <PagedTable
          caption={texts.ledger}
          columns={useColumns()}
          keyOf={({ entryId }) => entryId}
          list={list}
          empty={<EmptyState title={texts.noEntries} hint={texts.noEntriesHint} />}
        />
      </div>
    </Section>
  );
}

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
        {may('payments:create') && <LinkButton to="/payments/new">{texts.screens.newLink}</LinkButton>}
      </EmptyState>
    </Section>
  );
}

export default function Balances() {
  const texts = useBalancesTexts();
  const balances = useApiQuery('listBalances', {});
  return (
    <Page title={texts.screens.balances}>
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
