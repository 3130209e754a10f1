"""torchmetrics and Lightning themselves: batches, collections, two ranks, a logged value."""

import os
import pickle

import numpy as np
import pytest

import adjudge as aj
from integrations.made_data import data, smooth

torch = pytest.importorskip("torch")
torchmetrics = pytest.importorskip("torchmetrics")

from torch.utils.data import DataLoader, DistributedSampler, TensorDataset  # noqa: E402
from torchmetrics.utilities import dim_zero_cat  # noqa: E402

from adjudge.integrations.torchmetrics import Adjudge  # noqa: E402

VALUES, LABELS = data(3001)
SCORES = smooth(VALUES)


def points():
    return TensorDataset(torch.tensor(SCORES), torch.tensor(LABELS), torch.arange(len(LABELS)))


def true_value(spec="best(f1_ba)"):
    return aj.metric(spec)(LABELS, SCORES)


@pytest.mark.parametrize("shuffle", [False, True])
def test_batches_in_any_order_give_the_value_of_the_whole(shuffle):
    torch.manual_seed(0)
    metric = Adjudge("best(f1_ba)")
    for batch in DataLoader(points(), batch_size=128, shuffle=shuffle):
        metric.update(*batch)
    assert metric.compute().item() == pytest.approx(true_value())


def test_a_collection_and_settings():
    asked = {"ba": Adjudge("best(f1_ba)"), "five": Adjudge("best(f1_ba)", width=5)}
    several = torchmetrics.MetricCollection(asked | {"ap": Adjudge("ap", sync_on_compute=False)})
    several.update(*points().tensors)
    found = {name: value.item() for name, value in several.compute().items()}
    assert found["ba"] == pytest.approx(true_value())
    assert found["five"] == pytest.approx(true_value("best(f1_ba(width=5))"))
    assert found["ap"] == pytest.approx(true_value("ap"))


def test_a_collection_of_a_list_names_each_metric():
    asked = [Adjudge("ap"), Adjudge("auc_roc"), Adjudge("f1_kpa", k=0.3, at=1.5)]
    several = torchmetrics.MetricCollection(asked, prefix="test/")
    several.update(*points().tensors)
    found = {name: value.item() for name, value in several.compute().items()}
    assert found == {
        "test/ap": pytest.approx(true_value("ap")),
        "test/auc_roc": pytest.approx(true_value("auc_roc")),
        "test/f1_kpa_k_0_3_at_1_5": pytest.approx(true_value("f1_kpa(k=0.3, at=1.5)")),
    }
    again = several.clone()
    again.reset()
    again.update(*points().tensors)
    assert {name: value.item() for name, value in again.compute().items()} == found


class Mine(Adjudge):
    """A class of a user's own."""

    higher_is_better = True


def test_a_class_of_ones_own_stays_what_it_is():
    for metric in (Mine("ap"), Mine("ap").clone(), pickle.loads(pickle.dumps(Mine("ap")))):  # noqa: S301 - our own
        assert isinstance(metric, Mine)
        metric.update(*points().tensors)
        assert metric.compute().item() == pytest.approx(true_value("ap"))
    assert type(Adjudge("ap")) is type(Adjudge("ap").clone())


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_predictions_of_every_precision(kind):
    preds = torch.tensor(SCORES).to(kind)
    metric = Adjudge("ap")
    for part in torch.arange(len(LABELS)).split(500):
        metric.update(preds[part], torch.tensor(LABELS)[part], part)
    assert metric.compute().item() == aj.ap(LABELS, preds.double().numpy())


def test_which_way_is_better_and_how_it_is_called():
    assert Adjudge("f1_ba").higher_is_better
    assert not Adjudge("detection_delay").higher_is_better
    assert repr(Adjudge("f1_ba", width=5)) == "Adjudge('f1_ba(width=5)')"
    again = pickle.loads(pickle.dumps(Adjudge("ap")))  # noqa: S301 - our own
    assert str(again.asked) == "ap"


def test_an_index_that_begins_again_is_refused_and_so_are_targets_that_are_no_labels():
    metric = Adjudge("f1")
    for target in ([0, 1, 1, 0], [0, 0, 0, 1]):
        metric.update(torch.zeros(4), torch.tensor(target), torch.arange(4))
    with pytest.raises(aj.InputError, match="got one index for points"):
        metric.compute()
    soft = Adjudge("f1")
    soft.update(torch.tensor([0, 1]), torch.tensor([0.0, 0.5]), torch.arange(2))
    with pytest.raises(aj.InputError, match="labels must be 0 or 1"):
        soft.compute()


def test_one_series_whose_batches_come_in_order_needs_no_index():
    metric, forward = Adjudge("best(f1_ba)"), Adjudge("best(f1_ba)")
    for preds, target, _ in DataLoader(points(), batch_size=128):
        metric.update(preds, target)
        forward(preds, target)
    assert metric.compute().item() == forward.compute().item() == true_value()
    assert pickle.loads(pickle.dumps(metric)).compute().item() == true_value()  # noqa: S301 - our own


def test_an_index_with_some_batches_alone_is_refused():
    metric = Adjudge("f1")
    metric.update(torch.tensor([1, 0]), torch.tensor([0, 1]), torch.arange(2))
    metric.update(torch.tensor([1, 0]), torch.tensor([0, 1]))
    with pytest.raises(aj.InputError, match="index must be given with all batches or with none"):
        metric.compute()


def test_ranks_need_an_index(monkeypatch):
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 2)
    with pytest.raises(aj.InputError, match="index must be given with 2 ranks"):
        Adjudge("f1").update(torch.tensor([1, 0]), torch.tensor([0, 1]))


def test_a_reset_forgets():
    metric = Adjudge("f1")
    metric.update(torch.tensor([1, 0]), torch.tensor([0, 1]), torch.arange(2))
    metric.reset()
    metric.update(torch.tensor([1, 0]), torch.tensor([1, 0]), torch.arange(2))
    assert metric.compute().item() == 1


class Naive(torchmetrics.Metric):
    """What one writes first: the ranks' points, one after the other."""

    full_state_update = False

    def __init__(self):
        super().__init__()
        self.add_state("preds", default=[], dist_reduce_fx="cat")
        self.add_state("target", default=[], dist_reduce_fx="cat")

    def update(self, preds, target):
        self.preds.append(preds)
        self.target.append(target)

    def compute(self):
        target, preds = dim_zero_cat(self.target).numpy(), dim_zero_cat(self.preds).numpy()
        return torch.tensor(aj.metric("best(f1_ba)")(target, preds))


def rank(number, count, port, path):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", rank=number, world_size=count)
    sampler = DistributedSampler(points(), shuffle=False)
    indexed, naive = Adjudge("best(f1_ba)"), Naive()
    for preds, target, index in DataLoader(points(), batch_size=128, sampler=sampler):
        indexed.update(preds, target, index)
        naive.update(preds, target)
    values = indexed.compute().item(), naive.compute().item()
    if number == 0:
        np.save(path, values)
    torch.distributed.destroy_process_group()


def test_two_ranks_give_the_true_value_and_the_naive_way_does_not(tmp_path):
    path = tmp_path / "values.npy"
    torch.multiprocessing.spawn(rank, (2, 29517, path), nprocs=2)
    indexed, naive = np.load(path)
    assert indexed == pytest.approx(true_value())
    assert naive != pytest.approx(true_value(), abs=1e-3)


def test_lightning_logs_it(tmp_path):
    lightning = pytest.importorskip("lightning")

    class Model(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.ba = Adjudge("best(f1_ba)")

        def test_step(self, batch, batch_idx):  # noqa: ARG002 - Lightning names it
            self.ba.update(*batch)
            self.log("f1_ba", self.ba, on_epoch=True, on_step=False)

        def configure_optimizers(self):
            return None

    trainer = lightning.Trainer(
        logger=False, enable_checkpointing=False, enable_progress_bar=False, accelerator="cpu",
        devices=1, default_root_dir=tmp_path,
    )  # fmt: skip
    (found,) = trainer.test(Model(), DataLoader(points(), batch_size=256), verbose=False)
    assert found["f1_ba"] == pytest.approx(true_value(), abs=1e-6)
