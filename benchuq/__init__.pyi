from .comparison.by_task import by_task as by_task
from .comparison.diagrams import difference_diagram as difference_diagram
from .comparison.diagrams import wins_strip as wins_strip
from .comparison.agreement import agreement as agreement
from .comparison.components import components as components
from .comparison.noise import noise as noise
from .comparison.labelling import next_labels as next_labels
from .comparison.frontier import cost_per_success as cost_per_success
from .comparison.frontier import frontier as frontier
from .comparison.frontier import plot_frontier as plot_frontier
from .comparison.pairs import compare as compare
from .comparison.pairs import design as design
from .comparison.ranking import leaderboard as leaderboard
from .comparison.reliability import reliability as reliability
from .comparison.scores import scores as scores
from .sampling.weight_maps import weight_map as weight_map
from .consensus.kemeny import kemeny as kemeny
from .consensus.votes import votes as votes
from .data.costs import with_cost as with_cost
from .data.published import load as load
from .readers.read import read as read
from .readers.reading import Unsure as Unsure
from .reporting.formats import format_board as format_board
from .reporting.run import report as report
from .reporting.sections import plot_pairs as plot_pairs
from .sampling.bootstrap import bootstrap as bootstrap
from .sampling.hierarchy import bayes as bayes
from .selection.completion import complete as complete
from .selection.next_runs import next_runs as next_runs
from .selection.search import select as select
from .subgroups.empirical_bayes import empirical_bayes as empirical_bayes
from .verdict.check import check as check
from .verdict.from_files import assert_not_worse as assert_not_worse
from .verdict.looks import BenchuqStop as BenchuqStop

__version__: str

def load_readers(given: object) -> None: ...
