"""The judge's training, and its file."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from hardware.reader.judge.lot_judge import FACE, MAKE, Describer, LotJudge
from hardware.reader.judge.shipped_judge import HERE as SHIPPED
from hardware.reader.judge.shipped_judge import load_judge, shipped_detector
from training.__main__ import main
from training.judging.lot_samples import LotSamples
from training.judging.sample_store import load as load_samples
from training.judging.sample_store import save

torch = pytest.importorskip("torch", reason="trains the judge")

from training.judging.judge_network import Judge, JudgeNet, Relation, export  # noqa: E402 - they need PyTorch
from training.judging.sample_tensors import LotTensors  # noqa: E402
from training.judging.train_judge import load, load_mean, loss_of_faces, train  # noqa: E402
from training.judging.validation import report  # noqa: E402
from training.model_folder import read_judge, write_judges  # noqa: E402

STICK_CROP, SMALL_CROP = (WINDOWS[is_long, False].size for is_long in (True, False))


def drawn_samples(is_long: bool, seed: int = 1) -> LotSamples:
    """Random samples with all labels."""
    random, crop, n = np.random.default_rng(seed), STICK_CROP if is_long else SMALL_CROP, 40
    present = np.arange(n) % 2
    off = random.normal(0, 0.1, (n, 3))
    off[present == 0] = np.nan
    return LotSamples(
        supports=random.normal(0, 0.2, (8, CHANNELS, *crop)).astype(np.float16),
        crops=random.normal(0, 0.2, (n, CHANNELS, *crop)).astype(np.float16),
        present=present.astype(np.int8),
        readable=np.where(present == 1, np.arange(n) % 4 == 1, -1).astype(np.int8),
        face=np.where(present == 1, 1, 0).astype(np.int8),
        off=off.astype(np.float32),
    )


def test_the_reader_compares_as_the_training_does() -> None:
    """The numbers of the model are those of the trained relation."""
    random = np.random.default_rng(1)
    supports, told = (random.normal(0, 1, (n, 5 + MAKE + FACE)).astype(np.float32) for n in (8, 50))
    relation = Relation()
    with torch.no_grad():
        for numbers in relation.parameters():
            numbers += torch.from_numpy(random.normal(0, 0.5, numbers.shape)).float()

        trained = relation(torch.from_numpy(supports), torch.from_numpy(told))
        judgement = LotJudge(supports[:4], supports[4:], relation.numbers())(told)

    for odds, same in zip(trained, (judgement.present, judgement.readable, judgement.marked), strict=True):
        np.testing.assert_allclose(odds, same, atol=1e-4)


def test_faces_from_close_by_are_told_and_known_from_other_things() -> None:
    """A face on the wrong side costs, and so does one that looks strange, and another thing that does not."""
    random = np.random.default_rng(1)
    supports = torch.from_numpy(random.normal(0, 0.1, (8, 5 + MAKE + FACE)).astype(np.float32))
    supports[:4, -FACE:] += 2
    present, unknown, face = (torch.tensor([side] * 4 + [rest] * 4) for side, rest in ((1, 0), (-1, -1), (-1, 0)))
    drawn = LotTensors(supports, supports, present, unknown, face, supports[:, :3])
    told = supports.clone()
    told[4:, -FACE:] += 9

    def cost(marked: float, shift: float, other: float) -> float:
        seen = told.clone()
        seen[:4, -FACE:] += marked
        seen[:4, :MAKE] += shift
        seen[4:, -FACE:] += other
        return float(loss_of_faces(Relation(), supports, seen, drawn).detach())

    own = cost(-2, 0, 0)  # the four are drawn as plain ones
    assert cost(-2, 5, 0) == pytest.approx(own)
    assert cost(0, 0, 0) > own + 1
    assert cost(-6, 0, 0) > own + 0.5
    assert cost(-2, 0, -9) > own + 0.5


def test_a_relation_takes_over_numbers() -> None:
    """They are those that the model has, in the same order."""
    relation, numbers = Relation(), (4.8, 0.3, 1.2, 0.01, 3.6, -0.6)

    relation.set_numbers(numbers)

    np.testing.assert_allclose(relation.numbers(), numbers, rtol=1e-5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the exporter whose files OpenCV 4.6 reads is the older one
@pytest.mark.parametrize(("is_long", "close"), [(True, False), (False, False), (True, True)])
def test_opencv_describes_as_pytorch_does(tmp_path: Path, is_long: bool, close: bool) -> None:
    """Any number of crops gets the same descriptions."""
    network = JudgeNet(is_long=is_long, close=close).eval()
    size = WINDOWS[is_long, close].size
    crops = np.random.default_rng(1).normal(0, 0.3, (5, CHANNELS, *size)).astype(np.float32)

    describer = Describer(tmp_path / "judge.onnx", export(network, tmp_path / "judge.onnx"))

    with torch.no_grad():
        told = network(torch.from_numpy(crops)).numpy()
    np.testing.assert_allclose(describer.describe(crops), told, atol=1e-4)
    np.testing.assert_allclose(describer.describe(crops[:2]), told[:2], atol=1e-4)


def test_an_interrupted_training_ends_as_an_uninterrupted_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It resumes from the checkpoint alone."""
    files = [tmp_path / "r00001.npz", tmp_path / "r00002.npz"]
    for seed, path in enumerate(files):
        save(drawn_samples(is_long=False, seed=seed), path)

    whole = train(files, tmp_path / "whole.pt", 2, is_long=False)
    train(files, tmp_path / "parts.pt", 1, is_long=False)
    train(files, tmp_path / "parts.pt", 2, is_long=False)

    parts = load(tmp_path / "parts.pt", is_long=False)
    for one, other in zip(whole.parameters(), parts.parameters(), strict=True):
        np.testing.assert_allclose(one.detach(), other.detach(), atol=1e-5)
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["step 2", "step 1", "step 2"]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """The samples of one set of small lots."""
    save(drawn_samples(is_long=False), tmp_path / "r00001.npz")
    return [tmp_path / "r00001.npz"]


def test_a_judge_may_begin_with_an_earlier_one(files: list[Path], tmp_path: Path) -> None:
    """But not if it has a checkpoint of its own."""
    first, second = tmp_path / "first.pt", tmp_path / "second.pt"
    earlier = train(files, first, 1, is_long=False)

    begun = train(files, second, 0, is_long=False, before=first)
    further = train(files, second, 1, is_long=False, before=first)
    kept = train(files, second, 1, is_long=False, before=first)

    for one, same, other, again in zip(*(judge.parameters() for judge in (earlier, begun, further, kept)), strict=True):
        assert torch.equal(one, same)
        assert torch.equal(other, again)
    assert any(
        not torch.equal(one, other) for one, other in zip(earlier.parameters(), further.parameters(), strict=True)
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_judge_may_begin_with_a_shipped_one(files: list[Path], tmp_path: Path) -> None:
    """It says the same before it is trained, and its layers know their usual inputs."""
    trained = train(files, tmp_path / "trained.pt", 1, is_long=False)
    write_judges([Judge(is_long=True), trained, Judge(is_long=True, close=True), trained], tmp_path)
    shipped = read_judge("small", tmp_path)
    crops = torch.from_numpy(load_samples(files[0]).crops.astype(np.float32))
    with torch.no_grad():
        said = shipped.network(crops)

        begun = train(files, tmp_path / "begun.pt", 0, is_long=False, shipped=read_judge("small", tmp_path))

        np.testing.assert_allclose(begun.network(crops), said, atol=1e-4)
    assert begun.relation.numbers() == shipped.relation.numbers()
    assert begun.network.layers[1].running_mean.abs().max() > 0


def test_the_command_begins_with_the_shipped_judges(files: list[Path], tmp_path: Path) -> None:
    """The first step changes little."""
    samples = tmp_path / "samples" / "small"
    samples.mkdir(parents=True)
    files[0].rename(samples / files[0].name)
    arguments = ["--data", tmp_path, "--out", tmp_path, "--only", "judge", "--kind", "small", "--judge-steps", 1]

    answer = CliRunner().invoke(main, [*map(str, arguments), "--shipped"])

    assert answer.exception is None
    begun, shipped = load(tmp_path / "judge_small.pt", is_long=False), read_judge("small", SHIPPED)
    np.testing.assert_allclose(begun.network.told.weight.detach(), shipped.network.told.weight.detach(), atol=1e-4)


def test_an_averaged_judge_knows_its_layers_usual_inputs(files: list[Path], tmp_path: Path) -> None:
    """They are those of the samples, as if these weights, which are the mean of both, had been trained on them."""
    first, second = tmp_path / "first.pt", tmp_path / "second.pt"
    one = train(files, first, 1, is_long=False)
    other = train(files, second, 3, is_long=False, before=first)
    mean = load_mean((first, second), files, is_long=False)

    for before, after, between in zip(*(judge.parameters() for judge in (one, other, mean)), strict=True):
        np.testing.assert_allclose((before + after).detach() / 2, between.detach(), atol=1e-6)
    assert not torch.equal(one.network.layers[1].running_mean, mean.network.layers[1].running_mean)
    assert not mean.training


def test_the_report_tells_of_every_set(tmp_path: Path) -> None:
    """And of all together."""
    save(drawn_samples(is_long=False), tmp_path / "r00001.npz")

    lines = list(report(Judge(is_long=False).eval(), [tmp_path / "r00001.npz"]))

    assert lines[0].startswith("  r00001: of 20 faces ")
    assert [line.split(":")[0] for line in lines[1:]] == ["1 sets", "present", "readable"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_reader_opens_the_model_that_was_written(tmp_path: Path) -> None:
    """The judges belong together."""
    judges = [Judge(is_long=is_long, close=close).eval() for close in (False, True) for is_long in (True, False)]

    write_judges(judges, tmp_path)

    model = load_judge(tmp_path, shipped_detector())
    *_, strange, here, flat = (round(number, 6) for number in judges[0].relation.numbers())
    np.testing.assert_allclose(model.relations[0], judges[0].relation.numbers(), atol=1e-6)
    np.testing.assert_allclose(model.odds[0], [[1, 0, -strange, 0, here], [0, 1, -strange, 0, flat]], atol=1e-6)
    assert list(json.loads((tmp_path / "model.json").read_text())["sha256"]) == [
        "sticks.onnx",
        "small.onnx",
        "close_sticks.onnx",
        "close_small.onnx",
    ]
