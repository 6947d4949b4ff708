-- A move is decided when the new cell has all rows of the company. A standby that replaces the server of the new cell
-- afterwards, or a restored backup, may lack some of them. So the decision holds for one database on one timeline, which a
-- promotion changes.

-- compatible: a column that may be null; the release before does not know the table.
-- The identity of other_cell, which a restore renews, and the timeline of its server at the switch. Null unless a move was decided here: also once the rows that stayed
-- here are being removed.
alter table company_homes add column other_timeline text check (other_timeline is null or status = 'gone');
