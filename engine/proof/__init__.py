"""Records of duels, the hashes that link their turns, and the checks that prove them.

- Read a record: `verify` and `examine` check it, `replay` returns its history, and `transcript`
  returns it as text. `engine/proof/record.py` describes the format, docs/RECORDS.md the checks.
- Write a record: `position_hash`, the links of its chain (`first_link`, `turn_link`,
  `end_link_data` and `link`), and `markers_at_end`.
- Seal orders: `place_value`, `field_salts` and `field_commitments` for each field, and
  `seal_commitment` for a whole seal. The dice depend on these commitments.

Hashes, seeds and salts are hexadecimal texts. `InvalidRecord` names the place of the fault.
"""

from engine.proof.chain import DICE_BY_SEED as DICE_BY_SEED
from engine.proof.chain import DICE_RECORDED as DICE_RECORDED
from engine.proof.chain import SALTS_BY_SEED as SALTS_BY_SEED
from engine.proof.chain import SALTS_BY_SITE as SALTS_BY_SITE
from engine.proof.chain import first_link as first_link
from engine.proof.chain import link as link
from engine.proof.chain import position_hash as position_hash
from engine.proof.chain import seed_commitment as seed_commitment
from engine.proof.chain import turn_link as turn_link
from engine.proof.chain import unsalted_links as unsalted_links
from engine.proof.commitment import PADDING_FIELD as PADDING_FIELD
from engine.proof.commitment import PLACE_FIELD as PLACE_FIELD
from engine.proof.commitment import RANDOM_NUMBER_FIELD as RANDOM_NUMBER_FIELD
from engine.proof.commitment import canonical_json as canonical_json
from engine.proof.commitment import field_commitments as field_commitments
from engine.proof.commitment import field_salts as field_salts
from engine.proof.commitment import is_valid_random_number as is_valid_random_number
from engine.proof.commitment import padded_commitments as padded_commitments
from engine.proof.commitment import place_value as place_value
from engine.proof.commitment import seal_commitment as seal_commitment
from engine.proof.commitment import submitted_fields as submitted_fields
from engine.proof.record import RECORD_FORMAT as RECORD_FORMAT
from engine.proof.record import RECORD_VERSION as RECORD_VERSION
from engine.proof.record import UNCOVERED_DICE_VERSION as UNCOVERED_DICE_VERSION
from engine.proof.record import InvalidRecord as InvalidRecord
from engine.proof.record import Mismatch as Mismatch
from engine.proof.replay import markers_at_end as markers_at_end
from engine.proof.replay import replay as replay
from engine.proof.transcript import transcript as transcript
from engine.proof.verify import Examination as Examination
from engine.proof.verify import end_link_data as end_link_data
from engine.proof.verify import examine as examine
from engine.proof.verify import verify as verify
