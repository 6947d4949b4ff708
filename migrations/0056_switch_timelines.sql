-- A move is decided when the new cell has all rows of the company. A standby that replaces the server of the new cell
-- afterwards may lack some of them, so the decision holds for one timeline, which a promotion changes.

-- compatible: a column that may be null; the release before does not know the table.
-- The timeline of the server of other_cell at the switch. Null unless a move was decided here: also once the rows that stayed
-- here are being removed.
alter table company_homes add column other_timeline text check (other_timeline is null or status = 'gone');
