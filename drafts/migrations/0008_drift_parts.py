import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('drafts', '0007_watching'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='driftreport',
            name='content',
        ),
        migrations.AddField(
            model_name='driftreport',
            name='tries',
            field=models.PositiveIntegerField(default=0, help_text='How often it was taken up since it last got further.'),
        ),
        migrations.AddField(
            model_name='driftrow',
            name='corrected',
            field=models.PositiveIntegerField(default=0, help_text='Changes of the answer that a recorded correction stands behind; they are no drift.'),
        ),
        migrations.CreateModel(
            name='DriftPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('content', models.BinaryField()),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='drafts.driftreport')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('report', 'number'), name='drift_part_once')],
            },
        ),
    ]
